// The span of all products of up to two indicators of some categories, and what it leaves of other
// features: counted and factorised in single precision, for what only screens.
#pragma once

#include <cstddef>
#include <vector>

#include "span/indicator_products.h"
#include "span/judge.h"

namespace fsieve::inline span {

class PairSpan {
 public:
  // Holds the constant. `judge` says which products are trivial.
  PairSpan(IndicatorProducts products, const Judge& judge);

  // The next category joins.
  void grow();

  [[nodiscard]] std::size_t rank() const { return rank_; }
  // Of the squared norm of a tested feature's columns, the largest share that is left.
  [[nodiscard]] double left_of(std::size_t tested) const;
  // Could single precision tell what is left of all functions that stayed?
  [[nodiscard]] bool told() const { return told_; }

 private:
  void add_panel(std::size_t begin, std::size_t end);

  IndicatorProducts products_;
  Judge judge_;
  std::size_t height_;
  // The functions that stayed, without gaps, as columns of coordinates; behind these, inner
  // products that are not looked at yet.
  std::vector<float> columns_;
  std::vector<double> left_;  // of the squares of tested columns
  std::size_t part_ = 0;
  std::size_t rank_ = 0;
  bool told_ = true;
};

}  // namespace fsieve::span
