// Features that a user wants to keep, by name.
#pragma once

#include <string>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::inline methods {

// Of every feature: is it among the names? Throws Error where there is no column of a name.
[[nodiscard]] std::vector<bool> protected_features(const Schema& schema,
                                                   const std::vector<std::string>& names);

}  // namespace fsieve::methods
