// An orthonormal span of functions over the rows that grows.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace fsieve::inline span {

class Span {
 public:
  // Begins with one function, of unit length.
  explicit Span(std::vector<double> first) : rows_(first.size()), functions_(std::move(first)) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t rank() const { return functions_.size() / rows_; }
  // Orthonormal columns, one after another, from function `first` on.
  [[nodiscard]] const double* functions(std::size_t first = 0) const {
    return functions_.data() + first * rows_;
  }

  // Inner products of the functions with `count` columns (rank per column), on all threads.
  [[nodiscard]] std::vector<double> inner_products(const double* columns, std::size_t count) const;

  // What is new in the columns, in their order, orthonormal; those of which at most `least`
  // (squared norm) is left beside the span and the columns before them are skipped. The functions
  // before `first` were taken out of them already.
  [[nodiscard]] std::vector<double> new_in(std::vector<double> columns, double least,
                                           std::size_t first = 0) const;
  // Adds such functions.
  void append(const std::vector<double>& functions);
  void add(std::vector<double> columns, double least) { append(new_in(std::move(columns), least)); }

  // Takes the functions from `first` on out of columns, of which those before were.
  void take_out(double* columns, std::size_t count, std::size_t first = 0) const;

 private:
  void take_out_once(double* columns, std::size_t count, std::size_t first) const;

  std::size_t rows_;
  std::vector<double> functions_;
};

// Inner products of all columns with each other (the lower triangle is right), on all threads.
[[nodiscard]] std::vector<double> gram_of(std::size_t rows, const double* columns,
                                          std::size_t count);

}  // namespace fsieve::span
