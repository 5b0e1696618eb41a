// All pairs of features of one column each, for more than two classes: Gram matrices of whole tiles
// from matrix products over the rows of one class at a time, a screen (pair_screen.h), and an exact
// score of the pairs that the ranking may want.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "bits/subset_tiles.h"
#include "data/supervised_data.h"
#include "measure/ranking.h"
#include "methods/union/pair_screen.h"

namespace fsieve::inline methods {

class ClassPairs {
 public:
  using RowScore = std::function<double(std::span<const std::size_t>)>;

  // `features`: of one column each. `row_score` scores a pair (ascending) that sums of products
  // have too few digits for.
  ClassPairs(const SupervisedData& data, std::vector<std::size_t> features, RowScore row_score);

  // Offers every pair that may enter the ranking.
  void rank(Ranking& ranking, SharedProgress& progress) const;

 private:
  struct Scratch {
    explicit Scratch(std::size_t classes);
    PairFits fits;
    std::vector<double> u_squares, v_squares;
    std::vector<double> uuv, uvv, uuvv, class_uv;  // means of products, b side by side
    std::vector<double> coefficients, rest;
  };

  void order_features();
  void sort_rows();
  void add_means(const SubsetTile& tile, Scratch& s) const;
  void rank_tile(const SubsetTile& tile, Scratch& s, Ranking& ranking) const;
  void rank_pair(std::size_t b, std::size_t c, std::size_t place, Scratch& s,
                 Ranking& ranking) const;
  [[nodiscard]] bool promising(std::size_t b, std::size_t c, std::size_t place, double least,
                               Scratch& s) const;

  [[nodiscard]] const double* column(std::size_t k) const { return columns_.data() + k * rows_; }
  [[nodiscard]] std::size_t means_stride() const { return features_.size() + pair_group; }

  const SupervisedData* data_;
  std::vector<std::size_t> features_;  // the most telling first
  RowScore row_score_;
  double n_;
  std::size_t classes_;
  std::vector<double> share_;  // of each class
  double largest_share_;
  // Rows one class after another, each filled up with zeros to a multiple of class_rows_step.
  std::size_t rows_;
  std::vector<std::size_t> first_;  // of each class, and the end
  std::vector<double> weight_;      // 0 for rows that fill up
  std::vector<float> narrow_weight_;
  std::vector<double> columns_;
  std::vector<float> narrow_columns_;
  std::vector<double> means_;  // over the rows of a class, divided by all; features side by side
};

}  // namespace fsieve::methods
