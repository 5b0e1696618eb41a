// Numeric features cut into quantile bins, so that they can be counted like levels.
#pragma once

#include <cstddef>
#include <memory>

#include "fsieve/source.h"

namespace fsieve::inline data {

// A copy of a source in memory in which every numeric feature of more than `bins` values is
// categorical: bin1 … binQ (bin01 … where there are more than nine), each about as full as the
// others by weight; equal values share a bin. Two-valued features stay as they are.
[[nodiscard]] std::unique_ptr<MemorySource> binned(const Source& source, std::size_t bins);

}  // namespace fsieve::data
