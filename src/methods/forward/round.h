// One round of the forward search: the span of the functions of the features taken so far, what it
// leaves of the label, and what every other feature would add.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/candidate_grams.h"
#include "methods/forward/column_grams.h"
#include "methods/forward/curve_grams.h"
#include "methods/forward/estimated_steps.h"
#include "methods/forward/pair_memory.h"
#include "span/span.h"

namespace fsieve::inline methods {

// What some functions, made orthogonal to the span, would catch of what is left of the label.
struct Catch {
  std::size_t functions = 0;  // their rank
  double caught = 0;          // squared norm of the label they explain
  double gain = 0;            // beyond what as many functions of noise would catch
  double error = 0;  // of an estimate: how far off the gain may be; infinite: it is no guide
};

// What functions that explain so much are worth, where `left` of `total` is left of the label and
// so many rows are not spoken for.
[[nodiscard]] Catch judged(const Explained& explained, double left, double total, double free);
// What `added` functions explained beyond noise that brought `before` down to `left`.
[[nodiscard]] double gain_between(double before, double left, std::size_t added, double free);

// A single column of which the span leaves less than this share is nothing new: a copy.
constexpr double trivial_single = 1e-3;
// The same for products, which are more often nearly dependent.
constexpr double trivial_product = 1e-4;
// Products come in while the span has not more than so many functions: with more of them the
// choices get no better, and the time grows with their square.
constexpr std::size_t most_functions = 384;
// Curves and products come in while every function of the span has so many rows.
constexpr double rows_per_function = 5;

class Round {
 public:
  // `features`: that may be taken. Estimates for all of them are kept up to date at the cost of a
  // search; a round that is only told what to take does without.
  enum class Estimates { kept, none };
  // `device`: that forms inner products for the estimates; null: the cores do.
  Round(const SupervisedData& data, std::vector<std::size_t> features, int depth,
        Estimates estimates = Estimates::kept,
        const std::shared_ptr<blas::Accelerator>& device = nullptr);

  [[nodiscard]] const SupervisedData& data() const { return *data_; }
  [[nodiscard]] std::size_t rank() const { return span_.rank(); }
  [[nodiscard]] double left() const { return left_; }    // squared norm of the label not explained
  [[nodiscard]] double total() const { return total_; }  // of the label, the same way
  [[nodiscard]] const std::vector<std::size_t>& taken() const { return taken_; }
  // Features that may still be taken, in the order they were given in.
  [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
  // Are there enough degrees of freedom to tell anything?
  [[nodiscard]] bool rows_left() const;
  // Is anything left to explain, with enough degrees of freedom to tell?
  [[nodiscard]] bool open() const;
  // What is left of the label's columns, times √w, one after another.
  [[nodiscard]] const std::vector<double>& residual() const { return residual_; }

  // Would products with the features taken leave enough rows for each function?
  [[nodiscard]] bool products_fit(std::size_t feature) const;
  // Would so many more functions?
  [[nodiscard]] bool carries(std::size_t functions) const;

  // Estimates tell of the span as it was when this was last called: all that was taken since costs
  // one pass over the candidates.
  void update_estimates();

  // A feature with its products with those taken; alone; with its curves; subsets of features, each
  // with its own products. Estimates are quick, and say how far off they may be.
  [[nodiscard]] Catch with_products(std::size_t feature) const;
  [[nodiscard]] Catch alone(std::size_t feature) const;
  [[nodiscard]] Catch curved(std::size_t feature) const;
  [[nodiscard]] Catch estimate_with_products(std::size_t feature) const;
  [[nodiscard]] Catch estimate_alone(std::size_t feature) const;
  [[nodiscard]] Catch estimate_curved(std::size_t feature) const;
  // Features of one column are estimated all at once: those that may be among the best `reach` of
  // them, alone or with their products with those taken. Which ones are?
  [[nodiscard]] std::vector<EstimatedStep> columns_alone(std::size_t reach) const;
  [[nodiscard]] std::vector<EstimatedStep> columns_with_products(std::size_t reach) const;
  // Likewise all features that have curves and fit, where no device estimates them.
  [[nodiscard]] std::vector<EstimatedStep> families_curved(std::size_t reach) const;
  [[nodiscard]] bool families_are_swept() const { return curves_.has_value(); }
  [[nodiscard]] bool is_among_columns(std::size_t feature) const { return singles_.has(feature); }
  [[nodiscard]] std::size_t columns() const { return singles_.size(); }  // how many
  // Are products with those taken known for them, and do they fit?
  [[nodiscard]] bool columns_have_products() const;
  [[nodiscard]] std::vector<Catch> of_subsets(
      const std::vector<std::vector<std::size_t>>& subsets) const;
  // Pairs of features of one column, about: what is remembered of them need not be computed again.
  // They are called by their places in `pairs`; those that bring nothing are left out.
  [[nodiscard]] bool are_pairs_of_columns(
      const std::vector<std::vector<std::size_t>>& subsets) const;
  [[nodiscard]] std::vector<EstimatedStep> estimate_pairs(
      const std::vector<std::vector<std::size_t>>& pairs, PairMemory& memory) const;
  // Many features, each by itself.
  [[nodiscard]] std::vector<Catch> each_with_products(
      const std::vector<std::size_t>& features) const;
  [[nodiscard]] std::vector<Catch> each_alone(const std::vector<std::size_t>& features) const;
  [[nodiscard]] std::vector<Catch> each_curved(const std::vector<std::size_t>& features) const;
  // A quick promise of what the products of these features with those taken would catch, by their
  // inner products with what is left of the label alone.
  [[nodiscard]] std::vector<double> product_promises(
      const std::vector<std::size_t>& features) const;
  // How far off an estimated gain is taken to be at least.
  [[nodiscard]] double error_at_least(double gain) const;
  // What the span explains more than one of `rank` functions that left `left`, beyond noise.
  [[nodiscard]] double gain_since(double left, std::size_t rank) const;

  // These features may not be taken any more; the span stays as it is.
  void rule_out(const std::vector<std::size_t>& features);

  void take_with_products(std::size_t feature);
  void take_alone(std::size_t feature);
  void take_curved(std::size_t feature);
  void take_subset(const std::vector<std::size_t>& features);
  // Everything after this is judged given these features, which are not taken: all their columns
  // come in, and none of their products.
  void adjust_for(const std::vector<std::size_t>& features);
  // Functions that added_curves() gave, of features that were taken without them.
  void add(const std::vector<double>& functions);

  // The functions that a step would add to the span, orthonormal, one after another.
  [[nodiscard]] std::vector<double> added_with_products(std::size_t feature) const;
  [[nodiscard]] std::vector<double> added_alone(std::size_t feature) const;
  [[nodiscard]] std::vector<double> added_curved(std::size_t feature) const;
  [[nodiscard]] std::vector<double> added_subset(const std::vector<std::size_t>& features) const;
  [[nodiscard]] std::vector<double> added_curves(const std::vector<std::size_t>& features) const;
  [[nodiscard]] const Span& span() const { return span_; }

  // This round with the rows of all candidates shuffled against the span and the label. Products
  // with the features taken cost most; `products` says whether they will be asked for.
  [[nodiscard]] Round with_candidates_of(const SupervisedData& shuffled, bool products) const;

 private:
  using Functions = std::vector<double>;  // columns over the rows, one after another

  [[nodiscard]] std::size_t subsets() const { return factors_.size(); }
  [[nodiscard]] bool products_fit_of(std::size_t columns) const;
  [[nodiscard]] std::vector<std::size_t> of_one_column(const SupervisedData& data) const;
  [[nodiscard]] std::vector<std::size_t> of_many_functions() const;
  [[nodiscard]] Catch judge(const Explained& explained) const;
  [[nodiscard]] Catch judge(const EstimatedCatch& estimate) const;
  [[nodiscard]] EstimateTerms estimate_terms(double trivial) const;
  [[nodiscard]] std::vector<Catch> of_pairs(
      const std::vector<std::vector<std::size_t>>& pairs) const;
  [[nodiscard]] std::vector<float> beside(std::vector<const float*> columns) const;
  template <class Append>
  [[nodiscard]] std::vector<Catch> judge_each(std::size_t count, double trivial,
                                              const Append& append, std::size_t at_once = 16) const;
  [[nodiscard]] Functions functions_with(std::size_t feature, std::size_t subsets) const;
  [[nodiscard]] Functions curved_functions(std::size_t feature) const;
  [[nodiscard]] Functions curves_of(const std::vector<std::size_t>& features) const;
  [[nodiscard]] Functions added(Functions functions, double trivial) const;
  void append_own_functions(const std::vector<std::size_t>& features, Functions& to) const;
  [[nodiscard]] Catch catch_of(const Functions& functions, double trivial) const;
  [[nodiscard]] Catch catch_of(const double* functions, std::size_t count, const double* in_span,
                               double* on_label, double trivial) const;
  [[nodiscard]] std::vector<double> on_residual(const double* functions, std::size_t count) const;
  enum class Brings { plain, family };  // the columns of a feature that later products are made of
  void grow(Functions functions, double trivial, const std::vector<std::size_t>& features,
            Brings brings, std::size_t out = 0);
  void grow_by(const Functions& functions, const std::vector<std::size_t>& features, Brings brings);
  void prepare(std::size_t feature);
  void take(const std::vector<std::size_t>& features, Functions functions, double trivial,
            Brings brings = Brings::plain);
  [[nodiscard]] std::vector<double> explain_more(std::size_t first_function);
  void open_subsets(std::size_t feature, Brings brings);
  void close_products();
  void forget(const std::vector<std::size_t>& features);

  const SupervisedData* data_;
  int depth_;
  std::size_t label_columns_;
  double total_;  // squared norm of the centred label

  std::vector<std::size_t> taken_;
  std::vector<std::size_t> free_;
  Span span_;
  double left_;
  std::vector<double> residual_;

  // Products of the features taken, of fewer than depth factors; the empty one first. With a
  // candidate's columns they make the functions it would bring.
  std::vector<std::size_t> factors_;  // how many each has
  std::vector<double> values_;        // columns over the rows, times √w
  bool products_ = true;              // do products with those taken fit for any feature?
  bool estimates_;                    // are the inner products below kept?
  std::size_t estimated_;             // functions of the span that they know
  std::vector<double> on_residual_;   // of the others, before they came (labels per function)
  ColumnGrams singles_;               // candidates of one column
  CandidateGrams grams_;              // the others
  // Of features that have curves, all their columns: on the cores, or on a device.
  std::optional<CurveGrams> curves_;
  CandidateGrams curve_grams_;

  // Columns of features that may be taken soon, with the first functions of the span taken out.
  struct Prepared {
    std::size_t functions;
    Functions column;
  };
  std::map<std::size_t, Prepared> prepared_;
};

}  // namespace fsieve::methods
