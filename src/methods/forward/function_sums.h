// Inner products, over all rows, of functions with each other and with the label: all that steps
// are judged by.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

#include "data/seen_columns.h"
#include "data/whole_label.h"
#include "methods/forward/step_functions.h"
#include "stats/asked.h"

namespace fsieve::inline methods {

// Functions of a block's rows, times √w.
class FunctionRows {
 public:
  FunctionRows(const SeenColumns& columns, const std::vector<Functions>& all);

  [[nodiscard]] const SeenColumns& seen() const { return seen_; }
  // The columns that all functions need, of the rows of a block.
  [[nodiscard]] std::vector<double> columns(const Block& block) const;
  // Writes a function, from these; `roots`: √w, or empty.
  void write(const Function& function, const std::vector<double>& columns, std::size_t rows,
             const std::vector<double>& roots, double* out) const;

 private:
  const SeenColumns& seen_;
  std::vector<std::uint32_t> needed_;
  std::vector<std::size_t> place_;  // of a column among those needed
};

// What is summed: functions that make spans, and groups of functions that are judged beside them.
struct FunctionPlan {
  FunctionPlan(const SeenColumns& columns, const WholeLabel& whole, Functions of_span,
               std::vector<Functions> judged);

  const WholeLabel& label;
  Functions span;
  std::vector<Functions> groups;
  FunctionRows rows;
};

// Functions as bytes, for parts of a table.
void save_functions(std::ostream& out, const Functions& functions);
[[nodiscard]] Functions load_functions(std::istream& in);

class FunctionSums {
 public:
  explicit FunctionSums(std::shared_ptr<const FunctionPlan> plan);

  void add(const Block& block);
  void merge(const FunctionSums& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it.
  static constexpr const char* question = "function sums";
  void save_question(std::ostream& out) const;
  static FunctionSums from_question(std::istream& in, const Schema& schema, Keep& keep);

  // Of two functions of the span, or of one and a label column, or of two label columns, which come
  // after the functions.
  [[nodiscard]] double of_span(std::size_t a, std::size_t b) const {
    return a < b ? span_[b + a * side_] : span_[a + b * side_];
  }
  [[nodiscard]] std::size_t span_size() const { return plan_->span.size(); }
  [[nodiscard]] std::size_t group_size(std::size_t g) const { return plan_->groups[g].size(); }
  // Of function k of group g with the functions of the span and the label columns.
  [[nodiscard]] const double* with_span(std::size_t g, std::size_t k) const {
    return with_span_.data() + (first_[g] + k) * side_;
  }
  // Of two functions of a group.
  [[nodiscard]] double in_group(std::size_t g, std::size_t a, std::size_t b) const {
    const double* own = in_group_.data() + first_square_[g];
    return a < b ? own[b + a * group_size(g)] : own[a + b * group_size(g)];
  }

 private:
  void add_groups(const Block& block, const std::vector<double>& columns,
                  const std::vector<double>& roots, const std::vector<double>& left);

  std::shared_ptr<const FunctionPlan> plan_;
  std::size_t side_;                       // functions of the span and label columns
  std::vector<std::size_t> first_;         // function of each group
  std::vector<std::size_t> first_square_;  // place of its inner products
  std::vector<double> span_;
  std::vector<double> with_span_;
  std::vector<double> in_group_;
};

}  // namespace fsieve::methods
