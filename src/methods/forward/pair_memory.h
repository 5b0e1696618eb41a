// Pairs of features that scans promised, with the products of their columns: round after round asks
// what they are worth beside another span, and only inner products with that one are new.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "data/supervised_data.h"

namespace fsieve::inline methods {

class PairMemory {
 public:
  // What a pair brings: a column of each of its features and the product of both.
  struct Functions {
    std::array<std::size_t, 3> columns;  // where they are
    std::array<double, 9> inner;         // products with each other: of columns a ≥ b at a + 3 b
  };

  // Of a pair of features of one column each; all are of the same data.
  const Functions& functions(const SupervisedData& data, const std::vector<std::size_t>& pair);

  // In single precision, times √w; with a little behind each for column_dots.h.
  [[nodiscard]] const float* column(std::size_t place) const { return columns_[place].data(); }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }

 private:
  std::size_t add(const std::vector<double>& column);

  std::vector<std::vector<float>> columns_;
  std::map<std::size_t, std::size_t> places_;  // of features' columns
  std::map<std::vector<std::size_t>, Functions> pairs_;
};

}  // namespace fsieve::methods
