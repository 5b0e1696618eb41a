// Pieces of work that come from another machine (source/machines.h).
#pragma once

#include <string>

#include "fsieve/progress.h"

namespace fsieve::inline methods {

// What is said to a piece; `common` says which search it is of.
[[nodiscard]] std::string do_piece(const std::string& common, const std::string& piece,
                                   Progress& progress);

}  // namespace fsieve::methods
