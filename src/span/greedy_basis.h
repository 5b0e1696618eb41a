// The orthonormal functions of a greedy run, and what they leave of every feature (003 Algorithm
// 1).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/engine.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "linalg/accelerator.h"

namespace fsieve::inline span {

// A lower triangular matrix that grows by rows, column by column in memory.
class GrowingTriangle {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const double* data() const { return values_.data(); }

  // Adds the row (its last number is on the diagonal); rows[size()] numbers before it.
  void add(std::span<const double> row);

 private:
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> values_;
};

// Both engines compute the same thing, in standardised units. The first columns() columns of the
// design are those of features (behind them may be those of user functions); their inner products
// with the orthonormal functions are their coordinates.
class GreedyBasis {
 public:
  virtual ~GreedyBasis() = default;

  // Algorithm 1, lines 5 to 11: orthonormalises the functions in order, drops those that are
  // combinations of the ones before, and takes the rest out of all columns. Stops when the space of
  // functions on the rows is full.
  virtual void add(const std::vector<Parity>& functions) = 0;

  [[nodiscard]] virtual Engine engine() const = 0;
  // The smallest share of its squared norm that was left of a kept function.
  [[nodiscard]] double weakest() const { return weakest_; }

  [[nodiscard]] const std::vector<Parity>& kept() const { return kept_; }
  [[nodiscard]] std::size_t rank() const { return kept_.size(); }
  [[nodiscard]] bool full() const { return rank() >= dimensions_; }
  [[nodiscard]] std::size_t columns() const { return left_.size(); }

  // Share of a column's variance that the functions do not explain.
  [[nodiscard]] double left(std::size_t column) const { return full() ? 0 : left_[column]; }
  // Row k: coordinates of kept function k.
  [[nodiscard]] const GrowingTriangle& lower() const { return lower_; }
  // columns() x rank().
  [[nodiscard]] const std::vector<double>& coordinates() const { return coordinates_; }

 protected:
  GreedyBasis(const Design& design, std::size_t columns, bool constant);

  // Takes function number rank() − 1, on which the columns have these coordinates, out of them.
  void take_out(std::span<const double> coordinates);

  std::size_t dimensions_;  // of the space of functions on the rows
  std::vector<Parity> kept_;
  GrowingTriangle lower_;
  std::vector<double> coordinates_;
  std::vector<double> left_;
  double weakest_ = 1;
};

// A device for work of so many multiply-adds; none: it is not worth it, or there is none.
using AskForDevice = std::function<std::shared_ptr<blas::Accelerator>(double)>;

// One pass over the data per call of add() (more where inner products would take over 512 MiB).
// Squares cost half the digits.
[[nodiscard]] std::unique_ptr<GreedyBasis> make_greedy_gram(const Source& source,
                                                            const Design& design,
                                                            std::size_t columns, bool constant,
                                                            AskForDevice ask, Progress& progress);

// `source` must be in memory. All digits; the work is bounded by the number of rows.
[[nodiscard]] std::unique_ptr<GreedyBasis> make_greedy_sample(const Source& source,
                                                              const Design& design,
                                                              std::size_t columns, bool constant,
                                                              Progress& progress);

}  // namespace fsieve::span
