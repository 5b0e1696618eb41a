// The inner products that the fits of many equations need, summed over the rows.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "equation/fit.h"
#include "fsieve/source.h"
#include "span/parity_sums.h"
#include "stats/asked.h"

namespace fsieve::inline equation {

// For every task, the inner products of its (standardised) products and its target. Equations of
// one table use the same products again and again: where that takes fewer sums, those of all
// products of all tasks are formed once and shared.
class TaskGrams {
 public:
  TaskGrams(const Design& design, std::span<const FitTask> tasks);

  void add(const Block& block);
  // Where the sums over all rows are known.
  void look_up(const SummedSource& sums, const Design& design);

  void merge(const TaskGrams& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }

  // For parts of a table that are asked for it: what they need are the squares.
  static constexpr const char* question = "task grams";
  void save_question(std::ostream& out) const;
  static TaskGrams from_question(std::istream& in, const Schema& schema, Keep& keep);

  // The lower triangle of a task's Gram matrix, column-major; the target is the last.
  [[nodiscard]] std::vector<double> gram(std::size_t task) const;

 private:
  // The products of these functions with each other.
  struct Square {
    std::vector<Parity> functions;
    std::size_t offset = 0;  // in sums_
  };
  // Where a task's inner products are: its functions' places in a square.
  struct Place {
    std::size_t square = 0;
    std::vector<std::size_t> functions;
  };

  TaskGrams(const Design& design, std::vector<std::size_t> columns);
  void add_square(std::vector<Parity> functions);
  void add_rows(const Square& square);

  StandardisedRows rows_;
  std::vector<Square> squares_;  // one per task, or one for all
  std::vector<Place> places_;
  std::vector<double> sums_;
};

// How many of the tasks, from the first on, can be summed in one pass over the data: at least one.
[[nodiscard]] std::size_t tasks_of_one_pass(std::span<const FitTask> tasks);

}  // namespace fsieve::equation
