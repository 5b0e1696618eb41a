// How a report looks for the rule of two classes.
#pragma once

#include <cstddef>
#include <string>

#include "fsieve/source.h"

namespace fsieve::inline page {

// "exhaustive" where every subset of k features can be scored in seconds, else a beam.
[[nodiscard]] std::string rule_search(const Source& source, std::size_t k);

}  // namespace fsieve::page
