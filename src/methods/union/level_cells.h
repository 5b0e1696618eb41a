// The measure of subsets of discrete features of any number of levels: cells are numbered for all
// features but one, and the last one's levels are counted in them by bits, a plane per level, or
// row by row where the cells are too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/class_bits.h"
#include "bits/subset_tiles.h"
#include "data/label.h"
#include "data/levels.h"
#include "measure/ranking.h"

namespace fsieve::inline methods {

class LevelCells {
 public:
  // `levels`: of the candidate features; `names`: their positions. `order`: of a classification
  // without weights, null otherwise. All must outlive this. `planes`: are bit planes wanted?
  LevelCells(const Label& label, const std::vector<Levels>& levels,
             const std::vector<std::size_t>& names, const ClassOrder* order, bool planes);

  // Offers the subsets of `size` candidates with at least one of `special` (the others: `rest`).
  void rank(std::size_t size, const std::vector<std::size_t>& special,
            const std::vector<std::size_t>& rest, Ranking& ranking, SharedProgress& progress) const;

  // One subset of candidates, row by row.
  [[nodiscard]] double score(std::span<const std::size_t> candidates) const;

 private:
  // The cells of a few features: which one each row is in, numbered as they occur.
  struct Prefix {
    std::vector<std::uint32_t> cell;
    std::size_t cells = 0;
    std::vector<std::uint32_t> number;  // scratch
  };

  struct Histogram {
    std::vector<std::uint32_t> counts;
    std::vector<double> weights, sums, squares;
    std::vector<std::uint32_t> touched;
  };

  struct Scratch {
    Prefix prefix;
    Histogram histogram;
    std::vector<std::uint64_t> bits;
    std::vector<const std::uint64_t*> rows, columns;
    std::vector<std::uint32_t> prefix_counts;
    std::vector<std::uint32_t> cell;
    BlockCounts counts;
    std::vector<std::size_t> features;
  };

  void pack_planes();
  void centre(const std::vector<double>& numbers);
  void number_cells(std::span<const std::size_t> features, Prefix& prefix) const;
  [[nodiscard]] bool by_bits(std::size_t cells, std::size_t k) const;
  void rank_prefix(std::span<const std::size_t> features, std::span<const std::size_t> last,
                   Scratch& s, Ranking& ranking) const;
  void make_prefix_bits(Scratch& s) const;
  [[nodiscard]] double score_planes(Scratch& s, std::size_t plane, std::size_t levels) const;
  [[nodiscard]] double count_rows(const Prefix& prefix, std::size_t k, Histogram& h) const;
  [[nodiscard]] double count_classes(const Prefix& prefix, std::size_t k, Histogram& h) const;
  [[nodiscard]] double add_weights(const Prefix& prefix, std::size_t k, Histogram& h) const;
  [[nodiscard]] double add_numbers(const Prefix& prefix, std::size_t k, Histogram& h) const;
  void offer(std::span<const std::size_t> prefix, std::size_t last, double value, Scratch& s,
             Ranking& ranking) const;

  const Label& label_;
  const std::vector<Levels>& levels_;
  const std::vector<std::size_t>& names_;
  const ClassOrder* order_;
  std::size_t rows_;
  std::size_t class_count_;
  BitStore planes_;
  std::vector<std::size_t> first_plane_;
  std::vector<double> centred_;  // the label of a regression
  double total_ = 0;
};

}  // namespace fsieve::methods
