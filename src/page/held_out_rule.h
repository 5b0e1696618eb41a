// How a rule does on rows that it was not learned from.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "fsieve/junta.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline page {

// The rule is learned anew on four fifths of the rows, five times, and predicts the other fifth:
// {folds, accuracy, error}, the mean and its standard error. Null where a part of the rows is too
// little to learn from. Of long tables some rows are taken.
[[nodiscard]] nlohmann::ordered_json held_out_rule(const Source& source,
                                                   const JuntaOptions& options, std::uint64_t seed,
                                                   Progress& progress);

}  // namespace fsieve::page
