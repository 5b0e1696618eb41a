// Blocks of a table in memory: views, nothing is copied.
#pragma once

#include <algorithm>
#include <cstddef>

#include "fsieve/source.h"
#include "source/weights.h"

namespace fsieve::inline source {

// `source` is in memory, and outlives the reader and its blocks.
class MemoryReader final : public BlockReader {
 public:
  explicit MemoryReader(const Source& source)
      : source_(source), step_(block_rows(source.schema().columns())) {}

  bool next(Block& block) override {
    if (row_ >= source_.rows()) return false;
    block.first_row = row_;
    block.rows = std::min(step_, source_.rows() - row_);
    block.stride = source_.rows();
    block.values = source_.in_memory().data() + row_;
    block.weights = part_of(source_.weights(), row_, block.rows);
    row_ += block.rows;
    return true;
  }

 private:
  const Source& source_;
  std::size_t step_;
  std::size_t row_ = 0;
};

}  // namespace fsieve::source
