// A seeded sample of the rows of a table. Which rows are in it follows from their number, the size
// and the seed: neither blocks nor files nor machines that hold a part of them make a difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline source {

// `size` of the numbers 0 ... rows - 1 in rising order, all of them where there are no more: one
// from each of `size` runs of about the same length, so that every part of a sorted table is in it.
[[nodiscard]] std::vector<std::size_t> sampled_rows(std::size_t rows, std::size_t size,
                                                    std::uint64_t seed);

// The same of a table's rows, of which those of weight 0, as good as absent, are not counted and
// not drawn.
[[nodiscard]] std::vector<std::size_t> sampled_rows(const Source& source, std::size_t size,
                                                    std::uint64_t seed);

// These rows of a table, with their weights, in memory: one pass. Columns keep their levels,
// whether or not these occur.
[[nodiscard]] std::unique_ptr<MemorySource> sampled_table(const Source& source, std::size_t size,
                                                          std::uint64_t seed, Progress& progress);

}  // namespace fsieve::source
