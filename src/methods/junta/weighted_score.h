// Scores of subsets whose rows count by their class: counts stay whole numbers, and are weighted
// when a cell is judged.
//
// With w the weight of a row, n in all, the projection of eq. (7) in a cell is D / (n P), D being
// the weight of the second class there less that of the first, and P the product of the features'
// own shares (junta_score.h; orthogonalised parities have N / n for it, the cell's own share). A
// row of weight w that is left out takes ±w from D and w from n. So
//   score(J) = (1/n) Σ_cells (n₊ u₊ |D − w₊| + n₋ u₋ |D + w₋|) / P,   u = w / (n − w)
// which is the score of junta_score.h where all weights are 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bits/prefix_counts.h"
#include "methods/junta/junta_measure.h"
#include "methods/junta/row_weights.h"

namespace fsieve::inline methods {

// What all subsets {c, prefix} share. Cells of the prefix are masks of the features that are set.
struct WeightedPrefix {
  PrefixCounts counts;         // of two classes
  const RowWeights& weights;   //
  JuntaMeasure measure;        //
  double rows;                 //
  const std::int32_t* cells;   // rows of the first class per cell, then of the second
  const float* cell_weights;   // of `product`, per cell: the product of n / n_j
  const float* set_weights;    // of `product`, per c: n / rows with c set
  const float* clear_weights;  // of `product`, per c: n / rows with c not set
};

// Writes to `found` the c whose score may be `threshold` or more, by sums in single precision.
// Returns how many there are. Sixteen counts and weights past the last one must be readable.
std::size_t find_promising_weighted(const WeightedPrefix& prefix, double threshold,
                                    std::uint32_t* found);

// The sum over the cells of one subset, to be added up one by one.
class WeightedSum {
 public:
  WeightedSum(const RowWeights& weights, JuntaMeasure measure, std::size_t rows)
      : weights_(weights), measure_(measure), rows_(static_cast<double>(rows)) {}

  // `weight`: 1 / P, of `product` alone.
  void add(std::int64_t first, std::int64_t second, double weight);
  [[nodiscard]] double score() const { return sum_ / rows_; }

 private:
  const RowWeights& weights_;
  JuntaMeasure measure_;
  double rows_;
  double sum_ = 0;
};

}  // namespace fsieve::methods
