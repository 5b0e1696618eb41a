// Parities: products of standardised columns of different features (000 eq. 3-4, 001 section II).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/design.h"
#include "source/weights.h"

namespace fsieve::inline basis {

inline constexpr int max_depth = 6;

// The product of some design columns, one per feature, in running order. Empty: the constant 1.
class Parity {
 public:
  Parity() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::uint32_t> columns() const { return {columns_.data(), size_}; }

  // This product times one more column.
  [[nodiscard]] Parity times(std::size_t column) const {
    Parity product = *this;
    product.columns_[product.size_++] = static_cast<std::uint32_t>(column);
    return product;
  }

 private:
  std::array<std::uint32_t, max_depth> columns_{};
  std::uint8_t size_ = 0;
};

// What feature `j` adds to a list of parities in standard order: its own columns, then each of them
// joined to every earlier parity of fewer than `depth` factors, in their order.
[[nodiscard]] std::vector<Parity> parities_with(const DesignFeature& j,
                                                const std::vector<Parity>& earlier, int depth);

// The design columns that parities use, each once, in order.
[[nodiscard]] std::vector<std::size_t> columns_of(const std::vector<Parity>& parities);

// How many parities of at most `depth` factors a group of `features` features has, each of
// `columns_per_feature` columns, the constant included.
[[nodiscard]] double parity_count(std::size_t features, int depth, double columns_per_feature = 1);

// Standardised columns of some rows, evaluated once for all the parities that share them.
class StandardisedRows {
 public:
  // `columns`: the design columns wanted.
  StandardisedRows(const Design& design, std::vector<std::size_t> columns);

  void fill(const Block& block, std::size_t row, std::size_t rows);
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const Design& design() const { return *design_; }
  [[nodiscard]] const std::vector<std::size_t>& columns() const { return columns_; }

  // The values of a parity of wanted columns, each times the root of its row's weight.
  void evaluate(const Parity& parity, double* out) const;

 private:
  const Design* design_;
  std::vector<std::size_t> columns_;
  std::vector<std::size_t> slot_;  // of each design column in values_
  std::vector<double> values_;
  RootWeights roots_;
  std::size_t rows_ = 0;
};

}  // namespace fsieve::basis
