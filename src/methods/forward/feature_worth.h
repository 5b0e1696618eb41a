// What every feature is worth beside the ones that a search took.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fsieve/sffs.h"
#include "methods/forward/round.h"
#include "methods/forward/taken_step.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

// The features taken one after another as Algorithm 1 has them in its order: each with its products
// with those before it where rows suffice, else alone.
[[nodiscard]] std::vector<TakenStep> steps_in_order(const SupervisedData& data,
                                                    const std::vector<std::size_t>& features,
                                                    int depth);

// Takes a step again, or some of its features: as it was in the first round; of later rounds alone,
// while every function has its rows.
void take_again(const TakenStep& step, const std::vector<std::size_t>& features, Round& round);

// The span of all that was taken: the steps of the first round as they were, then the features of
// later rounds alone while every function has its rows. `without` is left out.
[[nodiscard]] Round final_round(const SupervisedData& data, const std::vector<TakenStep>& steps,
                                int depth, const Wishes& wishes,
                                std::optional<std::size_t> without = std::nullopt);

// What each of the features would add to the span, as a share of the label's variance beyond
// noise, at least 0: alone; with its curve or with its products with the features taken where
// these are likely to help.
[[nodiscard]] std::vector<double> gains_beside(const Round& round,
                                               const std::vector<std::size_t>& features, int depth);

// Is a step that catches so much of `left` likely to help, though it is the best of so many?
// `free`: rows that are not spoken for; `freedom`: of the label.
[[nodiscard]] bool likely_to_help(const Catch& worth, double left, double free, double freedom,
                                  std::size_t candidates);

// Features whose products are computed exactly, where there are more: the most promising ones.
constexpr std::size_t exact_products = 64;

// The places of the features whose products promise most.
[[nodiscard]] std::vector<std::size_t> promising(const Round& round,
                                                 const std::vector<std::size_t>& features);

// Features that are neither taken by a step nor covariates, nor constant.
[[nodiscard]] std::vector<std::size_t> other_features(const Design& design,
                                                      const std::vector<TakenStep>& steps,
                                                      const Wishes& wishes);

// Every feature with its rank: those of the steps in their order, then the others (with what they
// would add) by gain per cost, by p-value, by position; constants last.
[[nodiscard]] std::vector<FeatureWorth> rank_features(
    const std::vector<TakenStep>& steps, const std::vector<std::size_t>& others,
    const std::vector<double>& gains, const Wishes& wishes,
    const std::vector<std::optional<double>>& p_values);
[[nodiscard]] std::vector<FeatureWorth> rank_features(
    const SupervisedData& data, const std::vector<TakenStep>& steps, int depth,
    const Wishes& wishes, const std::vector<std::optional<double>>& p_values);

}  // namespace fsieve::methods
