// A sample of rows in which no class of the label is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline data {

// The rows of source/sampled_rows.h, in memory; beside them, of every value of the label in
// `weights` (the weight of its rows) that is rare there, the first rows that were not drawn. One
// pass; rows in their order.
[[nodiscard]] std::unique_ptr<MemorySource> labelled_sample(const Source& source, std::size_t size,
                                                            std::uint64_t seed,
                                                            const std::map<double, double>& weights,
                                                            Progress& progress);

}  // namespace fsieve::data
