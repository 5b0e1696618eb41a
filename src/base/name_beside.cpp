#include "base/name_beside.h"

#include <fmt/format.h>

#include <climits>
#include <functional>

namespace fsieve::inline base {

std::string name_beside(const std::string& path, std::string_view suffix) {
  const std::size_t begin = path.rfind('/') + 1;  // 0 where there is no folder
  const std::string name = path.substr(begin);
  if (name.size() + suffix.size() <= NAME_MAX) return path + std::string(suffix);
  const std::string hash = fmt::format("~{:08x}", std::hash<std::string>()(name) & 0xFFFFFFFFU);
  std::size_t end = NAME_MAX - hash.size() - suffix.size();
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // UTF-8
  return path.substr(0, begin + end) + hash + std::string(suffix);
}

}  // namespace fsieve::base
