#include <array>
#include <string_view>
#include <vector>

#include "fsieve/error.h"
#include "fsieve/generate.h"

namespace fsieve {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 7> kNames{"s1", "s2", "s3", "e1", "e2", "gfs", "gfa"};

}  // namespace

SetKind set_kind(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames.at(i) == name) return static_cast<SetKind>(i);
  }
  throw Error("\"" + name + "\" is not a set: s1, s2, s3, e1, e2, gfs, gfa", Error::Kind::usage);
}

std::string name_of(SetKind kind) { return std::string(kNames.at(static_cast<std::size_t>(kind))); }

}  // namespace fsieve
