// A span that grows, known by inner products alone: what Round does with rows (methods/forward/
// round.h), from the sums over all rows of a table that is not held.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/forward/function_sums.h"
#include "methods/forward/round.h"
#include "span/gram_factor.h"

namespace fsieve::inline methods {

class GramSpan {
 public:
  // Begins with the constant, which is function 0 of the sums. Explains the label columns
  // [first_label, last_label).
  GramSpan(const FunctionSums& sums, double weight, std::size_t first_label,
           std::size_t last_label);

  // Adds what is new in functions of the sums' span, in their order; those of which at most `least`
  // (squared norm) is left are skipped.
  void add(const std::vector<std::size_t>& functions, double least);

  [[nodiscard]] std::size_t rank() const { return kept_.size(); }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double left() const { return left_; }    // squared norm of the label not explained
  [[nodiscard]] double total() const { return total_; }  // of the label but for its mean

  // What some functions of a group would catch.
  [[nodiscard]] Catch caught(std::size_t group, const std::vector<std::size_t>& functions,
                             double least) const;
  // What the span explains more than one of `rank` functions that left `left`, beyond noise.
  [[nodiscard]] double gain_since(double left, std::size_t rank) const;
  // How many independent columns what is left of the label is worth (significance.h).
  [[nodiscard]] double free_columns() const;

  // For rows: the functions kept, the lower triangular factor of their inner products (columns one
  // after another), and the label's inner products with the orthonormal functions (columns() per
  // function).
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  [[nodiscard]] std::vector<double> factor() const;
  [[nodiscard]] const std::vector<double>& on_label() const { return on_label_; }

 private:
  [[nodiscard]] std::size_t labels() const { return last_label_ - first_label_; }
  // The coordinates on the orthonormal functions of something, from its inner products.
  [[nodiscard]] std::vector<double> coordinates(const double* with_span) const;

  const FunctionSums& sums_;
  double weight_;
  std::size_t first_label_;  // places among the sums
  std::size_t last_label_;
  std::vector<std::size_t> kept_;
  std::vector<std::vector<double>> rows_;  // of the factor
  std::vector<double> on_label_;
  double left_ = 0;
  double total_ = 0;
};

}  // namespace fsieve::methods
