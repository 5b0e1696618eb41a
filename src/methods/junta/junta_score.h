// The score of a subset from its table of counts.
//
// For ±1 features with empirical means the parities of 004 eq. (7) have ψ_j(+)·ψ_j(−) = −1 and
// 1 + ψ_j(x)² = 1 / p_j(x), p_j(x) the share of rows where feature j is x. So, with P(x) the
// product of the p_j(x_j) over J,
//   Σ_{S⊆J} ψ_S(x) ψ_S(x') = 1 / P(x) where x and x' agree on J, else 0,
// and the projection of (7) and what (8) subtracts depend on the row's own cell alone:
//   Σ_S f̂_S ψ_S(x) = D / (n P(x)),   (1/n) Σ_S ψ_S(x)² = 1 / (n P(x)),
// D being the rows of the second class minus those of the first in the cell, N all of them. Then
//   score_1(J) = 1/(n (n − 1)) Σ_cells (n₊ |D − 1| + n₋ |D + 1|) / P
// where the bracket is |D| (N − 1), or N where D = 0. Where the classes have weights:
// weighted_score.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device/screen.h"
#include "methods/junta/junta_measure.h"
#include "methods/junta/junta_table.h"
#include "methods/junta/promising_juntas.h"
#include "methods/junta/weighted_score.h"

namespace fsieve::inline methods {

class JuntaScore {
 public:
  // No feature of the table is constant.
  JuntaScore(JuntaMeasure measure, const JuntaTable& table);

  // Do the leads of cells say which subsets may score well?
  [[nodiscard]] bool goes_by_leads() const {
    return row_weights_.even() && measure_ != JuntaMeasure::product;
  }
  // The sum of leads (bits/promising.h) without which no subset scores `threshold`.
  [[nodiscard]] std::int32_t leads_to_reach(double threshold) const;

  // What subsets with one prefix share; the storage is reused from prefix to prefix.
  class Prefix {
   public:
    // `counts` of the features `prefix` (mask bit 0 is the first) with the features first_c,
    // first_c + 1, …
    void set(const JuntaScore& score, const PrefixCounts& counts,
             std::span<const std::size_t> prefix, std::size_t first_c);

    // Writes the c, counted from first_c, whose score may be `threshold` or more; how many.
    std::size_t promising(double threshold, std::uint32_t* found) const;

    // The score of the prefix with first_c + c.
    [[nodiscard]] double exact(std::size_t c);

   private:
    void weigh_cells(std::span<const std::size_t> prefix);
    [[nodiscard]] WeightedPrefix weighted() const;

    const JuntaScore* score_ = nullptr;
    PrefixCounts counts_{};
    std::size_t first_c_ = 0;
    std::vector<double> weights_;
    std::vector<float> float_weights_;
    std::vector<std::int32_t> lead_, size_;
    std::vector<std::int32_t> rows_;  // of the prefix's cells, one class after the other
    std::vector<std::int64_t> cells_;
  };

  // n / (rows where the feature is as given): 1 / p_j(x).
  [[nodiscard]] double weight(std::size_t feature, bool set) const {
    return set ? set_[feature] : clear_[feature];
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  // For a device that screens, which counts every row the same: by which sums (their weights are
  // those of `table`), and the sum that a subset of k features must reach for a score of
  // `threshold`.
  void describe(ScreenTable& table) const;
  [[nodiscard]] float sum_to_reach(double threshold, std::size_t k) const;

 private:
  JuntaMeasure measure_;
  std::size_t rows_;
  RowWeights row_weights_;
  std::vector<double> set_, clear_;
  std::vector<float> float_set_, float_clear_;  // readable past the end
};

}  // namespace fsieve::methods
