// Which rows are held out together in cross-validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/label.h"
#include "fsieve/source.h"
#include "measure/telling_columns.h"

namespace fsieve::inline measure {

struct HeldOut {
  static constexpr std::size_t nowhere = SIZE_MAX;

  std::size_t parts = 0;             // 0: the rows are too few to hold any out
  std::vector<std::size_t> part_of;  // per row; nowhere: not used at all
  // Per row: a random order that equal rows share, so that what is chosen along it does not depend
  // on the order of the rows.
  std::vector<std::size_t> place;

  [[nodiscard]] std::vector<std::size_t> rows(std::size_t part) const;
  [[nodiscard]] std::vector<std::size_t> other_rows(std::size_t part) const;
  // The first so many parts are all there are; the rows of the others are nowhere.
  void keep_parts(std::size_t count);
};

// Deals the rows of a source in memory. Which rows go together follows from what they hold, not
// from the order of rows, columns or classes, nor from names or columns that tell little of the
// label.
class RowDealer {
 public:
  // Both must outlive this.
  RowDealer(const Source& source, const Label& label)
      : source_(source), label_(label), columns_(by_telling(source, label)) {}

  // To at most `parts` parts, each with its share of every class (of small and large numbers).
  // Equal rows are never parted: they would tell about each other, and a row of weight 2 is the
  // same as two rows. Of more than `most` different rows about so many are used. `seed` fixes the
  // deal.
  [[nodiscard]] HeldOut deal(std::size_t parts, std::size_t most, std::uint64_t seed) const;

 private:
  const Source& source_;
  const Label& label_;
  std::vector<std::size_t> columns_;
};

}  // namespace fsieve::measure
