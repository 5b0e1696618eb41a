#include "methods/forward/feature_worth.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "methods/forward/significance.h"
#include "stats/q_values.h"

namespace fsieve::inline methods {
namespace {

std::vector<std::size_t> all_features(const SupervisedData& data) {
  std::vector<std::size_t> features(data.design.features.size());
  std::iota(features.begin(), features.end(), std::size_t{0});
  return features;
}

std::size_t plain_columns(const SupervisedData& data, std::size_t feature) {
  return data.plain_end(feature) - data.design.features[feature].first;
}

void take_as_it_was(const TakenStep& step, const std::vector<std::size_t>& features, Round& round) {
  if (step.kind == StepKind::subset) return round.take_subset(features);
  switch (step.kind) {
    case StepKind::with_products:
      round.take_with_products(features[0]);
      break;
    case StepKind::curved:
      round.take_curved(features[0]);
      break;
    case StepKind::alone:
    case StepKind::subset:
      round.take_alone(features[0]);
  }
}

}  // namespace

bool likely_to_help(const Catch& worth, double left, double free, double freedom,
                    std::size_t candidates) {
  const double log =
      log_f_chance(static_cast<double>(worth.functions), worth.caught, left, freedom, free);
  return log + std::log(2.0 * static_cast<double>(candidates)) <= std::log(likely_chance);
}

std::vector<std::size_t> promising(const Round& round, const std::vector<std::size_t>& features) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < features.size(); ++k) {
    if (round.products_fit(features[k])) places.push_back(k);
  }
  if (places.size() <= exact_products) return places;
  const std::vector<double> promises = round.product_promises(features);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return promises[a] > promises[b]; });
  places.resize(exact_products);
  return places;
}

std::vector<TakenStep> steps_in_order(const SupervisedData& data,
                                      const std::vector<std::size_t>& features, int depth) {
  Round round(data, all_features(data), depth, Round::Estimates::none);
  std::vector<TakenStep> steps;
  for (const std::size_t feature : features) {
    TakenStep& step =
        steps.emplace_back(TakenStep{StepKind::alone, {feature}, 1, false, 0, {feature}});
    if (!round.open()) {
      step.round = 2;  // nothing is left to explain, or no rows to do it with
      continue;
    }
    const double left = round.left();
    const std::size_t rank = round.rank();
    if (!round.taken().empty() && depth > 1 && round.products_fit(feature)) {
      step.kind = StepKind::with_products;
    }
    take_as_it_was(step, step.features, round);
    step.gain = std::max(0.0, round.gain_since(left, rank) / round.total());
  }
  return steps;
}

void take_again(const TakenStep& step, const std::vector<std::size_t>& features, Round& round) {
  if (features.empty()) return;
  if (step.round == 1) {
    take_as_it_was(step, features, round);
    if (step.curves) round.add(round.added_curves(features));
    return;
  }
  for (const std::size_t feature : features) {
    if (round.carries(plain_columns(round.data(), feature))) round.take_alone(feature);
  }
}

Round final_round(const SupervisedData& data, const std::vector<TakenStep>& steps, int depth,
                  const Wishes& wishes, std::optional<std::size_t> without) {
  Round round(data, all_features(data), depth, Round::Estimates::none);
  round.adjust_for(wishes.adjust);
  for (const TakenStep& step : steps) {
    std::vector<std::size_t> features = step.features;
    if (without) std::erase(features, *without);
    take_again(step, features, round);
  }
  return round;
}

std::vector<double> gains_beside(const Round& round, const std::vector<std::size_t>& features,
                                 int depth) {
  const SupervisedData& data = round.data();
  const auto alone = round.each_alone(features);
  std::vector<double> gains;
  gains.reserve(features.size());
  for (const Catch& worth : alone) gains.push_back(worth.gain);
  const auto consider = [&](std::size_t place, const Catch& worth) {
    if (likely_to_help(worth, round.left(), data.weight() - static_cast<double>(round.rank()),
                       static_cast<double>(data.label.freedom()), features.size())) {
      gains[place] = std::max(gains[place], worth.gain);
    }
  };

  std::vector<std::size_t> places;
  std::vector<std::size_t> curved;
  for (std::size_t k = 0; k < features.size(); ++k) {
    const DesignFeature& columns = data.design.features[features[k]];
    if (!data.curved(features[k]) || !round.carries(columns.last - columns.first)) continue;
    places.push_back(k);
    curved.push_back(features[k]);
  }
  const auto curves = round.each_curved(curved);
  for (std::size_t k = 0; k < places.size(); ++k) consider(places[k], curves[k]);

  if (depth > 1 && !round.taken().empty()) {
    places = promising(round, features);
    std::vector<Catch> products(places.size());
    in_parallel(places.size(),
                [&](std::size_t k) { products[k] = round.with_products(features[places[k]]); });
    for (std::size_t k = 0; k < places.size(); ++k) consider(places[k], products[k]);
  }
  for (double& gain : gains) gain = std::max(0.0, gain / round.total());
  return gains;
}

std::vector<std::size_t> other_features(const Design& design, const std::vector<TakenStep>& steps,
                                        const Wishes& wishes) {
  std::vector<bool> known(design.features.size());
  for (const TakenStep& step : steps) {
    for (const std::size_t feature : step.features) known[feature] = true;
  }
  for (const std::size_t feature : wishes.adjust) known[feature] = true;
  std::vector<std::size_t> others;
  for (std::size_t feature = 0; feature < known.size(); ++feature) {
    if (!known[feature] && !design.features[feature].constant) others.push_back(feature);
  }
  return others;
}

std::vector<FeatureWorth> rank_features(const std::vector<TakenStep>& steps,
                                        const std::vector<std::size_t>& others,
                                        const std::vector<double>& gains, const Wishes& wishes,
                                        const std::vector<std::optional<double>>& p_values) {
  std::vector<FeatureWorth> ranking;
  std::vector<bool> known(p_values.size());
  const auto add = [&](std::size_t feature, double gain) {
    known[feature] = true;
    ranking.push_back({feature, 0, gain, p_values[feature], {}, {}, {}});
  };
  for (const TakenStep& step : steps) {
    for (const std::size_t feature : step.features) add(feature, step.gain);
  }
  const auto taken = static_cast<std::ptrdiff_t>(ranking.size());
  for (std::size_t k = 0; k < others.size(); ++k) add(others[k], gains[k]);
  std::sort(ranking.begin() + taken, ranking.end(),
            [&](const FeatureWorth& a, const FeatureWorth& b) {
              const double gain_a = a.gain / wishes.cost_of(a.feature);
              const double gain_b = b.gain / wishes.cost_of(b.feature);
              if (gain_a != gain_b) return gain_a > gain_b;
              if (a.p_value != b.p_value) return a.p_value.value_or(1) < b.p_value.value_or(1);
              return a.feature < b.feature;
            });
  for (std::size_t feature = 0; feature < known.size(); ++feature) {
    if (!known[feature]) add(feature, 0);
  }

  std::vector<double> tested;
  for (std::size_t k = 0; k < ranking.size(); ++k) {
    ranking[k].rank = k + 1;
    if (ranking[k].p_value) tested.push_back(*ranking[k].p_value);
  }
  const std::vector<double> q = q_values(tested);
  auto next = q.begin();
  for (FeatureWorth& worth : ranking) {
    if (worth.p_value) worth.q_value = *next++;
  }
  return ranking;
}

std::vector<FeatureWorth> rank_features(const SupervisedData& data,
                                        const std::vector<TakenStep>& steps, int depth,
                                        const Wishes& wishes,
                                        const std::vector<std::optional<double>>& p_values) {
  const std::vector<std::size_t> others = other_features(data.design, steps, wishes);
  const std::vector<double> gains =
      gains_beside(final_round(data, steps, depth, wishes), others, depth);
  return rank_features(steps, others, gains, wishes, p_values);
}

}  // namespace fsieve::methods
