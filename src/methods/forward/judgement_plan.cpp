#include "methods/forward/judgement_plan.h"

#include <algorithm>
#include <utility>

namespace fsieve::inline methods {
namespace {

Functions singles(const std::vector<std::uint32_t>& columns) {
  Functions functions;
  for (const std::uint32_t column : columns) functions.push_back({column});
  return functions;
}

}  // namespace

JudgementPlan::JudgementPlan(const SeenColumns& columns, const AllRows::Searched& searched,
                             const ForwardResult& found)
    : columns_(columns), searched_(searched), found_(found) {
  owner_.resize(columns_.size());
  for (std::size_t f = 0; f < columns_.features().size(); ++f) {
    const SeenFeature& feature = columns_.features()[f];
    for (const auto* const own : {&feature.own, &feature.tested}) {
      for (const std::uint32_t column : *own) owner_[column] = f;
    }
  }
  plan_rounds();
  if (found_.ranking.empty()) return;
  StepFunctions functions(columns_, searched_.options.depth);
  plan_last(functions);
  plan_candidates(functions);
}

// Covariates come in with their curves.
std::vector<Added> JudgementPlan::covariates(const StepFunctions& functions) {
  Functions all;
  for (const std::size_t feature : searched_.wishes.adjust) {
    append(all, functions.curved(feature));
  }
  return {{catalogue.places(all), trivial_single}};
}

PlannedStep JudgementPlan::plan_step(std::size_t place, const std::vector<std::size_t>& features,
                                     StepFunctions& functions) {
  const TakenStep& step = found_.taken[place];
  const bool products = step.kind == StepKind::with_products || step.kind == StepKind::subset;
  PlannedStep planned;
  planned.place = place;
  planned.own = {catalogue.places(functions.take(step, features)),
                 products ? trivial_product : trivial_single};
  if (step.curves) planned.curves.functions = catalogue.places(functions.curves(features));
  return planned;
}

// Every round begins anew, with covariates and what is kept.
void JudgementPlan::plan_rounds() {
  const std::size_t kept = std::min(searched_.wishes.keep.size(), found_.taken.size());
  for (std::size_t s = 0; s < found_.taken.size();) {
    StepFunctions functions(columns_, searched_.options.depth);
    PlannedRound round;
    round.before = covariates(functions);
    const int number = found_.taken[s].round;
    for (std::size_t k = 0; k < kept && number > 1; ++k) {
      const PlannedStep step = plan_step(k, found_.taken[k].whole, functions);
      round.before.push_back(step.own);
      round.before.push_back(step.curves);
    }
    for (; s < found_.taken.size() && found_.taken[s].round == number; ++s) {
      round.steps.push_back(plan_step(s, found_.taken[s].whole, functions));
    }
    rounds.push_back(std::move(round));
  }
}

void JudgementPlan::plan_last(StepFunctions& functions) {
  last.before = covariates(functions);
  for (std::size_t s = 0; s < found_.taken.size(); ++s) {
    const TakenStep& step = found_.taken[s];
    if (step.round == 1) {
      last.steps.push_back(plan_step(s, step.features, functions));
      continue;
    }
    for (const std::size_t feature : step.features) {
      const TakenStep alone{StepKind::alone, {feature}};
      PlannedStep& planned = last.steps.emplace_back();
      planned.place = s;
      planned.own.functions = catalogue.places(functions.take(alone, {feature}));
    }
  }
}

void JudgementPlan::plan_candidates(const StepFunctions& functions) {
  const std::vector<bool> with_products = products_looked_at(functions);
  for (std::size_t f = 0; f < columns_.features().size(); ++f) {
    if (columns_.features()[f].tested.empty() || is_covariate(f)) continue;
    JudgedFeature& candidate = candidates.emplace_back();
    candidate.feature = f;
    candidate.tested = candidate.add(singles(columns_.features()[f].tested));
    candidate.alone = candidate.add(functions.alone(f));
    const Functions curves = functions.curves({f});
    if (!curves.empty()) {
      candidate.curved = candidate.alone;
      const Places places = candidate.add(curves);
      candidate.curved.insert(candidate.curved.end(), places.begin(), places.end());
    }
    if (with_products[f]) candidate.products = candidate.add(functions.with_products(f));
    if (is_replaced(f)) {
      // With the others that were taken: the last factor is its own column.
      Functions products = functions.with_products(f);
      std::erase_if(products, [&](const Function& product) {
        return product.size() == 1 || has_factor_of(f, {product.begin(), product.end() - 1});
      });
      if (rank_at_most() + products.size() <= most_functions) {
        candidate.products = candidate.alone;
        const Places places = candidate.add(products);
        candidate.products.insert(candidate.products.end(), places.begin(), places.end());
      }
    }
  }
  for (const std::size_t f : searched_.wishes.adjust) {
    const SeenFeature& feature = columns_.features()[f];
    Functions own = singles(feature.own);
    if (feature.real && searched_.tested_curves) append(own, singles(feature.tested));
    tested_beside.push_back({catalogue.places(own), trivial_single});
  }
}

bool JudgementPlan::has_factor_of(std::size_t feature, const Function& function) const {
  return std::any_of(function.begin(), function.end(),
                     [&](std::uint32_t column) { return owner_[column] == feature; });
}

// Does another feature stand in for it?
bool JudgementPlan::is_replaced(std::size_t feature) const {
  return searched_.options.depth > 1 &&
         std::any_of(found_.substitutes.begin(), found_.substitutes.end(),
                     [&](const Substitute& s) { return s.instead_of == feature; });
}

// Functions of the span of all that was taken.
std::size_t JudgementPlan::rank_at_most() const {
  std::size_t rank = 1;
  for (const Added& added : last.before) rank += added.functions.size();
  for (const PlannedStep& step : last.steps) {
    rank += step.own.functions.size() + step.curves.functions.size();
  }
  return rank;
}

bool JudgementPlan::is_covariate(std::size_t feature) const {
  const std::vector<std::size_t>& adjust = searched_.wishes.adjust;
  return std::find(adjust.begin(), adjust.end(), feature) != adjust.end();
}

std::vector<std::size_t> JudgementPlan::others() const {
  std::vector<std::size_t> others =
      other_features(columns_.design(), found_.taken, searched_.wishes);
  std::erase_if(others, [&](std::size_t f) { return columns_.features()[f].plain.empty(); });
  return others;
}

// Those that fit; where they are many, the sample says whose promise most.
std::vector<bool> JudgementPlan::products_looked_at(const StepFunctions& functions) const {
  std::vector<bool> looked_at(columns_.features().size(), false);
  if (searched_.options.depth < 2 || found_.taken.empty()) return looked_at;
  const std::size_t rank = rank_at_most();
  std::vector<std::size_t> fitting;
  for (const std::size_t f : others()) {
    const std::size_t more = functions.with_products(f).size();
    if (rank + more <= most_functions) fitting.push_back(f);
  }
  if (fitting.size() > exact_products) {
    std::erase_if(fitting, [&](std::size_t f) {
      return searched_.seen.design.features[f].constant;  // in the sample
    });
    const Round round =
        final_round(searched_.seen, found_.taken, searched_.options.depth, searched_.wishes);
    for (const std::size_t k : promising(round, fitting)) looked_at[fitting[k]] = true;
    return looked_at;
  }
  for (const std::size_t f : fitting) looked_at[f] = true;
  return looked_at;
}

}  // namespace fsieve::methods
