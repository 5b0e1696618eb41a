// The basis of the gram engine: the parities that stayed, and what parities and columns are made of
// on the orthonormal functions that follow from them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/stop.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "span/ledger.h"
#include "span/products.h"
#include "span/spread.h"
#include "span/wave_plan.h"

namespace fsieve::inline span {

class GramCoordinates {
 public:
  explicit GramCoordinates(const Design& design) : design_(design), slots_(design.columns.size()) {}

  // Of the features that this group may meet, which may be few of the table's.
  void number_columns(const std::vector<std::size_t>& order, std::size_t position);

  [[nodiscard]] std::size_t rank() const { return kept_.size(); }
  [[nodiscard]] const std::vector<Parity>& kept() const { return kept_; }
  // Of the kept parities: rank x rank, lower triangular.
  [[nodiscard]] const std::vector<double>& lower() const { return lower_; }
  // Of a design column on function k.
  [[nodiscard]] double of(std::size_t column, std::size_t k) const {
    return coordinates_[slots_[column] + k * numbered_];
  }
  // Of some, one after another: columns x rank.
  [[nodiscard]] std::vector<double> of(const std::vector<std::size_t>& columns) const;

  // Takes in the kept parities of a wave; of candidates from position `formed` on nothing is known.
  template <class Matrix>
  void grow(const WavePlan& wave, const Matrix& matrix, const std::vector<std::size_t>& kept,
            std::size_t formed);
  // Of features whose turn came in a full space, where none were needed.
  void find(const std::vector<std::size_t>& features, const Products& products, Progress& progress);

  // As ScreenBasis has them.
  [[nodiscard]] std::vector<Spread> spreads(const Source& source,
                                            const std::vector<std::size_t>& features,
                                            const Ledger& ledger, bool tails) const;
  [[nodiscard]] double least_left() const;

 private:
  [[nodiscard]] double& place(std::size_t column, std::size_t k) {
    return coordinates_[slots_[column] + k * numbered_];
  }
  template <class Matrix>
  void grow_lower(const Matrix& matrix, const std::vector<std::size_t>& kept);

  const Design& design_;
  std::vector<Parity> kept_{Parity()};
  std::vector<double> lower_{1.0};
  std::vector<std::size_t> slots_;  // of the design columns that are numbered
  std::size_t numbered_ = 0;
  std::vector<double> coordinates_;  // of these columns: numbered x rank
};

template <class Matrix>
void GramCoordinates::grow_lower(const Matrix& matrix, const std::vector<std::size_t>& kept) {
  const std::size_t before = rank();
  const std::size_t after = before + kept.size();
  std::vector<double> lower(after * after);
  for (std::size_t c = 0; c < before; ++c) {
    std::copy_n(lower_.data() + c * before, before, lower.data() + c * after);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    stop_if_asked();
    for (std::size_t c = 0; c < before; ++c) {
      lower[before + i + c * after] = matrix.on_old(kept[i], c);
    }
    for (std::size_t k = i; k < kept.size(); ++k) {
      lower[before + k + (before + i) * after] = matrix.on_new(kept[k], kept[i]);
    }
  }
  lower_ = std::move(lower);
}

template <class Matrix>
void GramCoordinates::grow(const WavePlan& wave, const Matrix& matrix,
                           const std::vector<std::size_t>& kept, std::size_t formed) {
  const std::size_t before = rank();
  grow_lower(matrix, kept);
  coordinates_.resize(numbered_ * (before + kept.size()), 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (std::size_t s = 0; s < wave.singles.size(); ++s) {
      place(wave.singles[s], before + k) = matrix.single_on_new(s, kept[k]);
    }
  }
  // The candidates' own columns are parities of the wave.
  for (std::size_t q = 0; q < wave.parities.size(); ++q) {
    if (wave.parities[q].size() != 1 || wave.owners[q] >= formed) continue;
    stop_if_asked();
    const std::size_t column = wave.parities[q].columns()[0];
    for (std::size_t c = 0; c < before; ++c) place(column, c) = matrix.on_old(q, c);
    for (std::size_t k = 0; k < kept.size() && kept[k] < q; ++k) {
      place(column, before + k) = matrix.on_new(q, kept[k]);
    }
  }
  for (const std::size_t q : kept) kept_.push_back(wave.parities[q]);
}

}  // namespace fsieve::span
