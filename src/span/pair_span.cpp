#include "span/pair_span.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/narrow.h"
#include "linalg/tiles.h"
#include "span/wave_panel.h"

namespace fsieve::inline span {
namespace {

constexpr std::size_t pairs_per_panel = 128;
// So many times the bound of its rounding must be left of the square of a function that stays.
constexpr double least_left_of_kept = 8;

}  // namespace

PairSpan::PairSpan(IndicatorProducts products, const Judge& judge)
    : products_(std::move(products)),
      judge_(judge),
      height_(products_.functions() + products_.columns()),
      columns_(products_.counted()) {
  for (std::size_t c = 0; c < products_.columns(); ++c) left_.push_back(products_.square(c));
  grow();
}

void PairSpan::grow() {
  const std::size_t last = products_.begin(part_ + 1);
  for (std::size_t begin = products_.begin(part_); begin < last; begin += pairs_per_panel) {
    add_panel(begin, std::min(begin + pairs_per_panel, last));
  }
  ++part_;
}

double PairSpan::left_of(std::size_t tested) const {
  double most = 0;
  const IndicatorProducts::Range range = products_.columns_of(tested);
  for (std::size_t c = range.first; c < range.last; ++c) {
    most = std::max(most, left_[c] / products_.standardised_square(c));
  }
  return most;
}

void PairSpan::add_panel(std::size_t begin, std::size_t end) {
  const std::size_t width = end - begin;
  float* const panel = columns_.data() + begin + begin * height_;
  std::vector<double> squares;
  for (std::size_t k = 0; k < width; ++k) squares.push_back(panel[k + k * height_]);
  if (rank_ > 0) {
    const float* const before = columns_.data() + begin;
    blas::tiled_gemm(blas::Op::none, blas::Op::transpose, height_ - begin, width, rank_, -1.0F,
                     before, height_, before, height_, 1.0F, panel, height_);
  }
  std::vector<double> diagonal(width * width);
  for (std::size_t c = 0; c < width; ++c) {
    std::copy_n(panel + c * height_, width, diagonal.data() + c * width);
  }
  WavePanel factor;
  const double lost = least_left_of_kept * (blas::rounding_of_inner_product(products_.rows()) +
                                            blas::rounding_of_inner_product(rank_ + width));
  std::size_t rank = rank_;
  const auto keep = [&](std::size_t q) {
    const double left = factor.residual2(q);
    const double share = std::max(left, 0.0) / products_.function_square(q);
    if (!judge_.can_test(rank) || judge_.trivial(std::sqrt(share), rank)) return false;
    told_ = told_ && left > lost * squares[q - begin];
    ++rank;
    return true;
  };
  const std::vector<std::size_t> kept = factor.factorise(begin, end, diagonal.data(), width, keep);
  const std::vector<double> lower = factor.coordinates(kept);
  const std::size_t below = height_ - end;
  float* const coordinates = columns_.data() + end + rank_ * height_;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    std::copy_n(columns_.data() + end + kept[k] * height_, below, coordinates + k * height_);
  }
  blas::solve_right_transposed(below, kept.size(),
                               blas::narrowed(lower.data(), lower.size()).data(), kept.size(),
                               coordinates, height_);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const float* const tested = coordinates + k * height_ + below - left_.size();
    for (std::size_t c = 0; c < left_.size(); ++c) {
      left_[c] -= static_cast<double>(tested[c]) * tested[c];
    }
  }
  rank_ = rank;
}

}  // namespace fsieve::span
