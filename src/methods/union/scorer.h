// Scoring every subset of the candidate features, all at once, by the kernel that fits the data.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/limits.h"
#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "measure/ranking.h"

namespace fsieve::inline methods {

// Scores subsets of data.features. The same numbers for any number of threads.
class SubsetScorer {
 public:
  virtual ~SubsetScorer() = default;

  // Offers every subset of `size` candidates to the ranking (those that cannot enter it may be left
  // out).
  virtual void score_all(int size, Ranking& ranking, Progress& progress) const = 0;

  // One subset (ascending features), by the definition: slow, for checks and single questions.
  [[nodiscard]] virtual double score(std::span<const std::size_t> features) const = 0;
};

// Most features per subset that the kernels score.
inline constexpr int most_discrete_depth = 6;
inline constexpr int most_real_depth = 4;

// Rows of functions that stay in the cache beside their inner products.
inline constexpr std::size_t row_block = 256;

// Are all candidates discrete: two-valued, categorical, or cut into bins?
[[nodiscard]] bool all_discrete(const SupervisedData& data, std::size_t bins);

// Cells of discrete features: the span of a subset is all functions of its cell, so counts per cell
// are enough. Numbers of more than two values are cut at `bins` quantiles (2 to 16).
[[nodiscard]] std::unique_ptr<SubsetScorer> make_cell_scorer(const SupervisedData& data,
                                                             std::size_t bins,
                                                             double table_bytes = most_table_bytes,
                                                             const Device& device = {});

// Projection on the products of design columns, one per feature.
[[nodiscard]] std::unique_ptr<SubsetScorer> make_projection_scorer(const SupervisedData& data);

// Sum over non-empty S of ((1/n) sum y χ_S)², y centred, summed over the label's columns.
[[nodiscard]] std::unique_ptr<SubsetScorer> make_l2_scorer(const SupervisedData& data,
                                                           std::size_t bins,
                                                           double table_bytes = most_table_bytes);

// The one that options and data ask for.
[[nodiscard]] std::unique_ptr<SubsetScorer> make_scorer(const SupervisedData& data,
                                                        const SffsOptions& options);

}  // namespace fsieve::methods
