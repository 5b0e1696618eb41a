// A table in memory as one block.
#pragma once

#include "fsieve/source.h"

namespace fsieve::inline source {

// `source` must be in memory, and outlive the block.
[[nodiscard]] inline Block whole_table(const Source& source) {
  Block all;
  all.rows = all.stride = source.rows();
  all.values = source.in_memory().data();
  all.weights = source.weights();
  return all;
}

}  // namespace fsieve::source
