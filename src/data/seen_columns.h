// The columns that a selection computes with, for the rows of any block: standardised as over all
// rows, ranks as among the rows of a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "data/design.h"
#include "data/rank_functions.h"

namespace fsieve::inline data {

// The columns of a feature, by their places.
struct SeenFeature {
  std::vector<std::uint32_t> own;     // those of the design
  std::vector<std::uint32_t> plain;   // make products
  std::vector<std::uint32_t> curves;  // beside them
  std::vector<std::uint32_t> tested;  // of the feature alone: ranks, where it is a real number
  bool real = false;
};

class SeenColumns {
 public:
  // `design`: of all rows. `curves`, `ranked`: as with_curves of data/families.h has them.
  SeenColumns(Design design, const Source& sample, bool curves, bool ranked);

  // For parts of a table that compute with them: what write() needs.
  void save(std::ostream& out) const;
  [[nodiscard]] static SeenColumns load(std::istream& in);

  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] double weight() const { return design_.weight; }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] const std::vector<SeenFeature>& features() const { return features_; }

  // Is the feature a real number of which no value holds half of the rows?
  [[nodiscard]] bool smooth(std::size_t feature) const {
    return ranks_[feature] && !ranks_[feature]->lump();
  }
  // The largest square of a tested column, in units of its mean square.
  [[nodiscard]] double peak(std::size_t feature) const;

  // Lets the first of some features have the columns of all of them, the others none.
  void merge(const std::vector<std::size_t>& features);

  // Writes the rows of a block in some columns, one after another. Columns of one feature that
  // stand side by side share their work.
  void write(const Block& block, const std::vector<std::uint32_t>& columns, double* out) const;

 private:
  SeenColumns() = default;

  struct Column {
    std::size_t place = 0;                  // in the design
    std::optional<std::size_t> polynomial;  // of ranks
  };

  Design design_;
  std::vector<Column> columns_;
  std::vector<SeenFeature> features_;
  std::vector<std::optional<RankFunctions>> ranks_;  // by feature
};

}  // namespace fsieve::data
