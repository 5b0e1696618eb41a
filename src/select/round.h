// One round of the forward search: the span of the functions of the features taken so far, what it
// leaves of the label, and what every other feature would add (blueprint, "Beyond the union").
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/buffer.h"
#include "data/supervised_data.h"

namespace fsieve {

// What some functions, made orthogonal to the span, would catch of what is left of the label.
struct Catch {
  std::size_t functions = 0;  // their rank
  double caught = 0;          // squared norm of the label they explain
  double gain = 0;            // beyond what as many functions of noise would catch
};

class Round {
 public:
  // `most`: features the round may take.
  Round(const SupervisedData& data, int depth, std::size_t most);

  [[nodiscard]] const SupervisedData& data() const { return *data_; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] double left() const { return left_; }  // squared norm of the label not explained
  [[nodiscard]] const std::vector<std::size_t>& taken() const { return taken_; }
  [[nodiscard]] std::span<const double> basis() const {
    return {functions_.data(), rank_ * data_->rows()};
  }
  // Is anything left to explain, with enough degrees of freedom to tell?
  [[nodiscard]] bool open() const;

  // Would products with the features taken still leave half of the rows free?
  [[nodiscard]] bool products_fit(std::size_t feature) const;

  // A feature with its products with those taken; alone; a subset of features with its own
  // products.
  [[nodiscard]] Catch with_products(std::size_t feature) const;
  [[nodiscard]] Catch alone(std::size_t feature) const;
  [[nodiscard]] Catch of_subset(const std::vector<std::size_t>& features) const;

  void take_with_products(std::size_t feature);
  void take_alone(std::size_t feature);
  void take_subset(const std::vector<std::size_t>& features);

  // This round with the rows of all candidates shuffled against the span and the label.
  [[nodiscard]] Round with_candidates_of(const SupervisedData& shuffled) const;

  // What is left of the label's columns, one after another.
  [[nodiscard]] const std::vector<double>& residual() const { return residual_; }

 private:
  using Functions = std::vector<double>;  // columns over the rows, one after another

  [[nodiscard]] Catch judge(std::size_t functions, double caught) const;
  [[nodiscard]] Catch solve(std::size_t feature, std::size_t subsets, double trivial) const;
  [[nodiscard]] Functions functions_with(std::size_t feature, std::size_t subsets) const;
  [[nodiscard]] Functions own_functions(const std::vector<std::size_t>& features) const;
  void take_out(Functions& functions) const;
  void take(const std::vector<std::size_t>& features, Functions functions, double trivial);
  void project_candidates(std::size_t first_function);
  void open_subsets(std::size_t feature);
  void measure_pairs();
  void measure_subsets(std::size_t first_subset);
  struct Subset;
  void measure_residual(Subset& subset) const;

  const SupervisedData* data_;
  int depth_;
  std::size_t label_columns_;
  std::size_t most_functions_;
  double total_;  // squared norm of the centred label

  std::vector<std::size_t> taken_;
  std::size_t rank_ = 1;
  double left_;
  std::vector<double> functions_;  // the span: orthonormal columns, the constant first
  std::vector<double> residual_;

  // Products of the features taken, of fewer than depth factors; the empty one first. With a
  // candidate's columns they make the functions it would bring.
  struct Subset {
    std::size_t factors = 0;
    std::vector<double> values;
    Buffer on_span;  // most_functions_ x design columns: inner products of (values · column)
    std::vector<double> on_residual;  // label columns x design columns
  };
  std::vector<Subset> subsets_;
  bool products_ = true;  // are products with those taken still measured?
  // Products of two columns of one feature (squares, for most), and for every pair of subsets the
  // inner products of these with both subsets' values.
  std::vector<std::size_t> pair_start_;
  std::vector<double> pair_values_;
  std::size_t pairs_ = 0;
  std::vector<std::vector<std::vector<double>>> raw_;  // [a][b <= a][pair]
};

}  // namespace fsieve
