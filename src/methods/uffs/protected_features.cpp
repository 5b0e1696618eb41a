#include "methods/uffs/protected_features.h"

#include <fmt/format.h>

#include <algorithm>

#include "fsieve/error.h"

namespace fsieve::inline methods {

std::vector<bool> protected_features(const Schema& schema, const std::vector<std::string>& names) {
  std::vector<bool> stays(schema.features.size());
  for (const std::string& name : names) {
    const auto place = std::find_if(schema.features.begin(), schema.features.end(),
                                    [&](const Column& column) { return column.name == name; });
    if (place == schema.features.end()) {
      // What was set aside stays as it is.
      if (std::any_of(schema.ignored.begin(), schema.ignored.end(),
                      [&](const IgnoredColumn& column) { return column.name == name; })) {
        continue;
      }
      throw Error(fmt::format("--protect: there is no feature \"{}\"", name));
    }
    stays[static_cast<std::size_t>(place - schema.features.begin())] = true;
  }
  return stays;
}

}  // namespace fsieve::methods
