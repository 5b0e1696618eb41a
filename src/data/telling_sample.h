// A sample of rows on which every column can be judged: rows that carry much of a column's variance
// (a rare level, an outlier) are drawn more often than others and weigh less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline data {

// About `size` rows of the source in memory, and a few more for each column of which these would
// hold too little. Rows that are as likely as any have the weight they have in the source, so that
// a table without such columns has a sample without weights. One pass; which rows are drawn depends
// on the table and the seed, not on how it is read.
[[nodiscard]] std::unique_ptr<MemorySource> telling_sample(const Source& source,
                                                           const Design& design, std::size_t size,
                                                           std::uint64_t seed, Progress& progress);

// The design of all rows, its columns standardised on the rows of a sample. Columns that are
// constant there have deviation 0.
[[nodiscard]] Design design_of_sample(const Design& design, const Source& sample,
                                      Progress& progress);

// The same without columns that are constant there, for what is told feature by feature: one is
// explained if all its columns are, and a rare level that no row has is no part of what is left.
[[nodiscard]] Design varying_columns(const Design& design);

}  // namespace fsieve::data
