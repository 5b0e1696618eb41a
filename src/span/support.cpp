#include "span/support.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/blas.h"
#include "linalg/tiles.h"
#include "span/deflation.h"

namespace fsieve::inline span {
namespace {

using blas::Op;

// Columns that are looked at together: their products with the parities are one matrix product.
constexpr std::size_t batch_targets = 64;
// Parities whose products are formed together when the first of them is needed: where equations are
// long most parities are needed sooner or later, and where they are short few panels are formed.
constexpr std::size_t panel_parities = 32;
// Of a parity with less than this left (squared norm) nothing but rounding is left.
constexpr double nothing2 = 1e-10;

// The parity that catches most of what is left of the column; of those that are equal but for
// rounding, the first. None where all that is left is rounding.
std::size_t best_of(const Deflation& left, std::size_t count) {
  std::size_t best = count;
  double to_beat = rounding(0);
  for (std::size_t k = 0; k < count; ++k) {
    if (left.size(k) < nothing2 || left.amount(k) * left.amount(k) <= to_beat * left.size(k)) {
      continue;
    }
    best = k;
    to_beat = left.caught(k) + rounding(left.caught(k));
  }
  return best;
}

}  // namespace

double equation_tolerance(double unexplained) { return std::clamp(0.1 * unexplained, 1e-10, 1e-3); }

double rounding(double share) { return 1e-9 * share + 1e-13; }

SupportFinder::SupportFinder(const std::vector<Parity>& parities, const double* lower,
                             std::size_t stride, double rows, const std::vector<bool>& eligible,
                             bool constant)
    : parities_(parities),
      lower_(lower),
      stride_(stride),
      rows_(rows),
      first_(constant ? 1 : 0),
      sizes_(parities.size()),
      panels_(new Panel[(parities.size() + panel_parities - 1) / panel_parities]) {
  const std::size_t count = parities.size();
  for (std::size_t c = first_; c < count; ++c) {
    stop_if_asked();
    const double* column = lower + c * stride;
    for (std::size_t k = c; k < count; ++k) sizes_[k] += column[k] * column[k];
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!eligible[k]) sizes_[k] = 0;
  }
}

std::vector<std::vector<Parity>> SupportFinder::find(
    std::size_t count, const std::function<SupportTarget(std::size_t)>& target,
    Progress& progress) {
  std::vector<std::vector<Parity>> supports(count);
  progress.begin("looking for equations", count);
  for (std::size_t begin = 0; begin < count; begin += batch_targets) {
    std::vector<SupportTarget> targets;
    for (std::size_t t = begin; t < std::min(count, begin + batch_targets); ++t) {
      targets.push_back(target(t));
    }
    const std::vector<double> products = products_with(targets);
    in_parallel(targets.size(), [&](std::size_t t) {
      supports[begin + t] = pursue(targets[t], products.data() + t * parities_.size());
    });
    progress.advance(begin + targets.size());
  }
  progress.end();
  return supports;
}

std::vector<double> SupportFinder::products_with(std::span<const SupportTarget> targets) const {
  const std::size_t count = parities_.size();
  std::vector<double> coordinates(count * targets.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    std::copy(targets[t].coordinates.begin(), targets[t].coordinates.end(),
              coordinates.begin() + static_cast<std::ptrdiff_t>(t * count));
  }
  std::vector<double> products(count * targets.size());
  std::vector<blas::Tile> tiles;
  blas::add_tiles(0, count, 0, targets.size(), tiles);
  blas::for_each(tiles, [&](const blas::Tile& tile) {
    // Coordinates of the tile's parities end at its last row.
    const std::size_t length = tile.row + tile.rows - first_;
    blas::gemm(Op::none, Op::none, tile.rows, tile.columns, length, 1.0,
               lower_ + tile.row + first_ * stride_, stride_,
               coordinates.data() + first_ + tile.column * count, count, 0.0,
               products.data() + tile.row + tile.column * count, count);
  });
  return products;
}

const double* SupportFinder::products_with(std::size_t k) {
  const std::size_t count = parities_.size();
  Panel& panel = panels_[k / panel_parities];
  std::call_once(panel.formed, [&] {
    const std::size_t begin = k - k % panel_parities;
    const std::size_t width = std::min(panel_parities, count - begin);
    const std::size_t length = begin + width - first_;  // the coordinates that are not all zero
    panel.products.resize(count * width);
    blas::gemm(Op::none, Op::transpose, count, width, length, 1.0, lower_ + first_ * stride_,
               stride_, lower_ + begin + first_ * stride_, stride_, 0.0, panel.products.data(),
               count);
  });
  return panel.products.data() + (k % panel_parities) * count;
}

std::vector<Parity> SupportFinder::pursue(const SupportTarget& target, const double* products) {
  const std::size_t rank = target.coordinates.size();
  const auto free = [&](std::size_t terms) {
    return rows_ / std::max(1.0, rows_ - static_cast<double>(terms));
  };
  const double full = target.residual2 * free(rank);
  const double enough = full + equation_tolerance(full);

  Deflation left({products, products + rank},
                 {sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(rank)});
  const double* coordinates = target.coordinates.data() + first_;
  double unexplained = target.residual2 + blas::dot(rank - first_, coordinates, coordinates);
  std::vector<std::size_t> chosen;
  const auto left_now = [&] { return unexplained * free(chosen.size() + 1); };
  while (left_now() > enough && chosen.size() + first_ < rank &&
         chosen.size() < target.most_terms) {
    stop_if_asked();
    if (chosen.size() == target.patience && gives_up(target, chosen, left_now())) return {};
    const std::size_t best = best_of(left, rank);
    if (best == rank) break;
    unexplained -= left.caught(best);
    left.take_out(best, products_with(best));
    chosen.push_back(best);
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<Parity> support;
  support.reserve(chosen.size());
  for (const std::size_t k : chosen) support.push_back(parities_[k]);
  return support;
}

bool SupportFinder::gives_up(const SupportTarget& target, const std::vector<std::size_t>& chosen,
                             double left) {
  if (left > target.bearable) return true;
  if (!target.hope) return false;
  std::vector<Parity> parities;
  parities.reserve(chosen.size());
  for (const std::size_t k : chosen) parities.push_back(parities_[k]);
  return !target.hope(parities, [&](const auto& products) { return gram(target, products); });
}

std::vector<double> SupportFinder::gram(const SupportTarget& target,
                                        const std::vector<std::vector<std::uint32_t>>& products) {
  std::call_once(numbered_, [&] {
    for (std::size_t k = 0; k < parities_.size(); ++k) {
      const auto columns = parities_[k].columns();
      std::vector<std::uint32_t> sorted(columns.begin(), columns.end());
      std::sort(sorted.begin(), sorted.end());
      numbers_[std::move(sorted)] = k;
    }
  });
  const std::size_t rank = target.coordinates.size();
  const std::size_t stride = products.size() + 1;
  std::vector<double> coordinates(stride * rank);
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto known = numbers_.find(products[p]);
    if (known == numbers_.end()) continue;
    const std::size_t length = std::min(known->second + 1, rank);
    for (std::size_t c = 0; c < length; ++c) {
      coordinates[p + c * stride] = lower_[known->second + c * stride_];
    }
  }
  for (std::size_t c = 0; c < rank; ++c) {
    coordinates[products.size() + c * stride] = target.coordinates[c];
  }
  std::vector<double> sums(stride * stride);
  blas::syrk_lower(Op::none, stride, rank, rows_, coordinates.data(), stride, 0.0, sums.data(),
                   stride);
  sums.back() = rows_;
  return sums;
}

}  // namespace fsieve::span
