#include "base/instruction_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdlib>

#include "base/shown_text.h"
#include "fsieve/error.h"

// The sets that any kernel is compiled for.
#define HWY_WANT_AVX3_DL 1
#include <hwy/highway.h>

namespace fsieve::simd {
namespace {

// Asked once: later Highway answers with what was chosen.
std::int64_t machine_targets() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

std::string name_of(std::int64_t target) {
  if (target == HWY_EMU128 || target == HWY_SCALAR) return "portable";
  std::string name = hwy::TargetName(target);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return name;
}

std::int64_t& current_target() {
  static std::int64_t target =
      machine_targets() & -machine_targets();  // better ones are lower bits
  return target;
}

std::int64_t target_of(std::string_view name) {
  for (std::int64_t left = machine_targets(); left != 0; left &= left - 1) {
    if (name_of(left & -left) == name) return left & -left;
  }
  throw Error(
      fmt::format("FSIEVE_SIMD is {}, which is no instruction set of this machine (it has {})",
                  shown(name), fmt::join(available(), ", ")),
      Error::Kind::usage);
}

}  // namespace

std::vector<std::string> available() {
  std::vector<std::string> names;
  for (std::int64_t left = machine_targets(); left != 0; left &= left - 1) {
    names.push_back(name_of(left & -left));
  }
  return names;
}

std::string chosen() { return name_of(current_target()); }

void choose(std::string_view name) {
  const std::int64_t target = target_of(name);
  // Better sets have lower bits: what stays is this one and all that are worse.
  hwy::SetSupportedTargetsForTest(machine_targets() & -target);
  current_target() = target;
}

void obey_environment() {
  static const bool obeyed = [] {
    const char* const name = std::getenv("FSIEVE_SIMD");
    if (name != nullptr && *name != '\0') choose(name);
    return true;
  }();
  static_cast<void>(obeyed);
}

}  // namespace fsieve::simd
