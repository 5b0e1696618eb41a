// xor counts of all pairs of two lists of bit columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "bits/xor_count.h"

namespace fsieve::inline bits {

using BitColumns = std::vector<const std::uint64_t*>;

// Calls store(i, j, popcount(rows[i] xor columns[j])) for all pairs, in parallel over rows.
template <class Store>
void count_pairs(const BitColumns& rows, const BitColumns& columns, std::size_t words,
                 const Store& store) {
  in_parallel((rows.size() + 3) / 4, [&](std::size_t quad) {
    const std::size_t i = quad * 4;
    const std::uint64_t* a[4];
    for (std::size_t k = 0; k < 4; ++k) a[k] = rows[std::min(i + k, rows.size() - 1)];
    for (std::size_t j = 0; j < columns.size(); j += 4) {
      const std::uint64_t* b[4];
      for (std::size_t k = 0; k < 4; ++k) b[k] = columns[std::min(j + k, columns.size() - 1)];
      std::int64_t counts[16] = {};
      add_xor_counts_4x4(a, b, words, counts);
      for (std::size_t k = 0; k < 16; ++k) {
        if (i + k / 4 < rows.size() && j + k % 4 < columns.size()) {
          store(i + k / 4, j + k % 4, counts[k]);
        }
      }
    }
  });
}

}  // namespace fsieve::bits
