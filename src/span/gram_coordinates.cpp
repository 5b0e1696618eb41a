#include "span/gram_coordinates.h"

#include <cmath>
#include <utility>

#include "base/buffer.h"
#include "linalg/tiles.h"

namespace fsieve::inline span {

void GramCoordinates::number_columns(const std::vector<std::size_t>& order, std::size_t position) {
  for (; position < order.size(); ++position) {
    const DesignFeature& feature = design_.features[order[position]];
    for (std::size_t c = feature.first; c < feature.last; ++c) slots_[c] = numbered_++;
  }
  coordinates_.assign(numbered_, 0.0);  // on the constant
}

std::vector<double> GramCoordinates::of(const std::vector<std::size_t>& columns) const {
  std::vector<double> part(columns.size() * rank());
  for (std::size_t k = 0; k < rank(); ++k) {
    double* to = part.data() + k * columns.size();
    for (std::size_t s = 0; s < columns.size(); ++s) to[s] = of(columns[s], k);
  }
  return part;
}

void GramCoordinates::find(const std::vector<std::size_t>& features, const Products& products,
                           Progress& progress) {
  std::vector<std::size_t> columns;
  for (const std::size_t feature : features) {
    const DesignFeature& own = design_.features[feature];
    for (std::size_t c = own.first; c < own.last; ++c) columns.push_back(c);
  }
  if (columns.empty()) return;
  Buffer found = products.inner({}, kept_, columns, progress, Counting::never);
  const std::size_t stride = rank() + columns.size();
  double* const with_kept = found.data() + rank();
  blas::tiled_solve_right_transposed(columns.size(), rank(), lower_.data(), rank(), with_kept,
                                     stride);
  for (std::size_t k = 0; k < rank(); ++k) {
    for (std::size_t s = 0; s < columns.size(); ++s) {
      place(columns[s], k) = with_kept[s + k * stride];
    }
  }
}

std::vector<Spread> GramCoordinates::spreads(const Source& source,
                                             const std::vector<std::size_t>& features,
                                             const Ledger& ledger, bool tails) const {
  std::vector<Leftover> wanted;
  for (const std::size_t feature : features) {
    Leftover most{0, ledger[feature].best.rank, {}};
    double largest = -1;
    for (std::size_t c = design_.features[feature].first; c < design_.features[feature].last; ++c) {
      double left = 1;
      for (std::size_t k = 0; k < most.rank; ++k) left -= std::pow(of(c, k), 2);
      if (left <= largest) continue;
      largest = left;
      most.column = c;
    }
    for (std::size_t k = 0; k < most.rank; ++k) most.coordinates.push_back(of(most.column, k));
    wanted.push_back(std::move(most));
  }
  return spreads_of(source, design_, kept_, lower_, wanted, tails);
}

double GramCoordinates::least_left() const {
  std::vector<double> squares(rank());
  for (std::size_t k = 0; k < rank(); ++k) {
    for (std::size_t q = k; q < rank(); ++q) {
      squares[q] += lower_[q + k * rank()] * lower_[q + k * rank()];
    }
  }
  double least = 1;
  for (std::size_t q = 0; q < rank(); ++q) {
    least = std::min(least, lower_[q + q * rank()] * lower_[q + q * rank()] / squares[q]);
  }
  return least;
}

}  // namespace fsieve::span
