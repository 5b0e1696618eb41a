// Some rows of a table, drawn once and held: what a picture needs of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline page {

struct RowSample {
  std::size_t rows = 0;
  std::vector<std::size_t> columns;  // positions in a block
  std::vector<double> values;        // column after column

  [[nodiscard]] std::span<const double> column(std::size_t k) const {
    return {values.data() + k * rows, rows};
  }
};

// At most `most` rows in their order, every row equally likely; all of them where there are no
// more.
[[nodiscard]] RowSample sample_rows(const Source& source, std::vector<std::size_t> columns,
                                    std::size_t most, std::uint64_t seed, Progress& progress);

}  // namespace fsieve::page
