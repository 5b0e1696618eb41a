// What a judgement on all rows (all_rows.h) needs the sums of: the functions of the spans that the
// search went through, and those of the features that are judged beside the last one.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "data/seen_columns.h"
#include "methods/forward/all_rows.h"
#include "methods/forward/feature_worth.h"
#include "methods/forward/step_functions.h"

namespace fsieve::inline methods {

using Places = std::vector<std::size_t>;

// The functions that spans are made of, each once.
class Catalogue {
 public:
  Catalogue() { place({}); }

  std::size_t place(Function function) {
    std::sort(function.begin(), function.end());
    const auto [known, is_new] = places_.try_emplace(function, functions_.size());
    if (is_new) functions_.push_back(std::move(function));
    return known->second;
  }
  Places places(const Functions& functions) {
    Places places;
    for (const Function& function : functions) places.push_back(place(function));
    return places;
  }
  [[nodiscard]] const Functions& functions() const { return functions_; }

 private:
  Functions functions_;
  std::map<Function, std::size_t> places_;
};

// Functions that come into a span together, and of which as much must be new.
struct Added {
  Places functions;
  double trivial = trivial_single;
};

// A step with its functions, and with the curves that came in after it.
struct PlannedStep {
  std::size_t place = 0;  // among the steps taken
  Added own;
  Added curves;
};

struct PlannedRound {
  std::vector<Added> before;  // covariates and what is kept
  std::vector<PlannedStep> steps;
};

// Functions of a feature beside the span: which of its group make what.
struct JudgedFeature {
  std::size_t feature = 0;
  Functions functions;
  Places alone;
  Places curved;    // empty: it has no curves
  Places products;  // empty: they are not looked at
  Places tested;

  Places add(const Functions& more) {
    Places places;
    for (const Function& function : more) {
      places.push_back(functions.size());
      functions.push_back(function);
    }
    return places;
  }
};

class JudgementPlan {
 public:
  JudgementPlan(const SeenColumns& columns, const AllRows::Searched& searched,
                const ForwardResult& found);

  Catalogue catalogue;
  std::vector<PlannedRound> rounds;
  // Where there is a ranking: the span of all that was taken, as final_round has it, what is judged
  // beside it, and what single features are tested beside.
  PlannedRound last;
  std::vector<JudgedFeature> candidates;
  std::vector<Added> tested_beside;

  // Features that stand for themselves and are not taken.
  [[nodiscard]] std::vector<std::size_t> others() const;
  [[nodiscard]] bool has_factor_of(std::size_t feature, const Function& function) const;

 private:
  std::vector<Added> covariates(const StepFunctions& functions);
  PlannedStep plan_step(std::size_t place, const std::vector<std::size_t>& features,
                        StepFunctions& functions);
  void plan_rounds();
  void plan_last(StepFunctions& functions);
  void plan_candidates(const StepFunctions& functions);
  [[nodiscard]] bool is_replaced(std::size_t feature) const;
  [[nodiscard]] bool is_covariate(std::size_t feature) const;
  [[nodiscard]] std::size_t rank_at_most() const;
  [[nodiscard]] std::vector<bool> products_looked_at(const StepFunctions& functions) const;

  const SeenColumns& columns_;
  const AllRows::Searched& searched_;
  const ForwardResult& found_;
  std::vector<std::size_t> owner_;  // the feature of every column
};

}  // namespace fsieve::methods
