#include "span/greedy_basis.h"

#include <algorithm>

namespace fsieve::inline span {

void GrowingTriangle::add(std::span<const double> row) {
  if (size_ == stride_) {
    const std::size_t wider = std::max<std::size_t>(64, 2 * stride_);
    std::vector<double> values(wider * wider);
    for (std::size_t c = 0; c < size_; ++c) {
      std::copy_n(values_.data() + c * stride_, size_, values.data() + c * wider);
    }
    values_ = std::move(values);
    stride_ = wider;
  }
  for (std::size_t c = 0; c <= size_; ++c) values_[size_ + c * stride_] = row[c];
  ++size_;
}

// The constant, where it is in the family, is there from the beginning: centring.
GreedyBasis::GreedyBasis(const Design& design, std::size_t columns, bool constant)
    : dimensions_(design.dimensions), left_(columns, 1.0) {
  if (!constant) return;
  kept_.emplace_back();
  lower_.add(std::vector<double>{1.0});
  coordinates_.assign(left_.size(), 0.0);
}

void GreedyBasis::take_out(std::span<const double> coordinates) {
  coordinates_.insert(coordinates_.end(), coordinates.begin(), coordinates.end());
  for (std::size_t c = 0; c < left_.size(); ++c) left_[c] -= coordinates[c] * coordinates[c];
}

}  // namespace fsieve::span
