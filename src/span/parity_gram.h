// Inner products of new parities with old ones, with each other and with single columns, in one
// pass over the rows.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "linalg/tiles.h"
#include "stats/asked.h"

namespace fsieve::inline span {

// Sums over rows of row-function times column-function. Columns are the new parities; rows are, one
// after another, the old parities, the new ones (lower triangle only) and the single columns.
class ParityGram {
 public:
  // Rows evaluated at a time: long enough for the products to run at full rate, short enough for
  // the functions of a slice to stay near the cores.
  static constexpr std::size_t slice_rows = 1024;

  ParityGram(const Design& design, const std::vector<Parity>& old_parities,
             const std::vector<Parity>& new_parities, const std::vector<std::size_t>& singles);

  void add(const Block& block);
  void merge(const ParityGram& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "parity gram";
  void save_question(std::ostream& out) const;
  static ParityGram from_question(std::istream& in, const Schema& schema, Keep& keep);

  [[nodiscard]] std::size_t height() const { return functions_.size(); }
  // Column-major, height() numbers per new parity.
  [[nodiscard]] Buffer& sums() { return sums_; }

 private:
  StandardisedRows rows_;
  std::vector<Parity> functions_;  // old, new, singles
  std::size_t old_;
  std::size_t new_;
  std::vector<blas::Tile> tiles_;
  Buffer sums_;
  std::vector<double> values_;  // scratch: the functions on a slice of rows
};

}  // namespace fsieve::span
