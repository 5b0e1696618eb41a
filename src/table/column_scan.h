// What one column turns out to be once all its cells have been seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "fsieve/source.h"
#include "table/table_file.h"

namespace fsieve::io::inline table {

constexpr std::size_t kMostLevels = 1000;
constexpr std::uint64_t kNoRow = UINT64_MAX;

// Sees the cells of a column in file order, counts what they are, and gathers levels. The numbers
// of cells decide the type, so it is known only at the end.
class ColumnScan {
 public:
  // `as_levels`: the user wants levels whatever the cells are; numbers are then levels in their
  // shortest spelling. `passenger`: one text, or one whole number of more digits than
  // a double has, makes the column text, of any number of levels.
  ColumnScan(const CellReader& cells, bool as_levels, bool passenger)
      : cells_(&cells),
        as_levels_(as_levels),
        passenger_(passenger),
        most_levels_(passenger ? SIZE_MAX : kMostLevels) {}

  // Where `held` is given it gets a value for each cell, which finish_values() makes final.
  void add(const Cells& cells, std::uint64_t first_row, double* held);

  [[nodiscard]] ColumnKind kind() const;

  // The levels could not be gathered since numbers came without their spelling: the column must
  // be read again as text.
  [[nodiscard]] bool needs_spelling() const {
    if (as_levels_) return false;
    if (met_text_) return kind() == ColumnKind::categorical && met_numbers_;
    return met_inexact_;
  }
  [[nodiscard]] bool met_text() const { return met_text_; }
  // Whole numbers that a double may not hold.
  [[nodiscard]] bool beyond_exact() const { return beyond_exact_; }

  // First rows of their sort, kNoRow if there is none.
  [[nodiscard]] std::uint64_t first_missing() const;
  [[nodiscard]] std::uint64_t first_infinite() const { return first_infinite_; }
  [[nodiscard]] std::uint64_t first_text() const { return first_text_; }
  [[nodiscard]] const std::string& first_text_value() const { return first_text_value_; }
  [[nodiscard]] bool all_missing() const;

  [[nodiscard]] bool too_many_levels() const {
    return levels_full_ || texts_.size() + numbers_.size() > most_levels_;
  }
  [[nodiscard]] std::vector<std::string> sorted_levels() const;
  [[nodiscard]] std::string most_frequent_level() const;
  [[nodiscard]] double mean() const;

  // Whether the values given out can be made final; if not, the file must be read again.
  [[nodiscard]] bool has_values() const { return has_values_; }
  // Makes the values of all cells numbers or positions in `levels`; NaN: missing.
  void finish_values(const std::vector<std::string>& levels, std::span<double> values) const;

 private:
  void add_numbers(const Cells& cells, std::uint64_t first_row, double* held);
  void add_text(const Cells& cells, std::uint64_t first_row, double* held);
  std::size_t level_of(const std::string& text);
  [[nodiscard]] std::unordered_map<std::string, std::uint64_t> level_counts() const;

  const CellReader* cells_;
  bool as_levels_;
  bool passenger_;
  std::size_t most_levels_;
  bool has_values_ = true;
  bool met_numbers_ = false;  // cells that came as numbers
  bool met_text_ = false;     // cells that came as text
  bool levels_full_ = false;
  bool beyond_exact_ = false;
  bool met_inexact_ = false;  // passengers only: a number that may be an id cut short

  std::uint64_t number_count_ = 0;
  std::uint64_t text_count_ = 0;
  std::uint64_t first_missing_ = kNoRow;
  std::uint64_t first_nan_ = kNoRow;
  std::uint64_t first_infinite_ = kNoRow;
  std::uint64_t first_text_ = kNoRow;
  std::string first_text_value_;
  double sum_ = 0;

  std::unordered_map<std::string, std::size_t> texts_;  // a level to its position in the counts
  std::vector<std::uint64_t> text_counts_;
  std::unordered_map<double, std::uint64_t> numbers_;  // as_levels only
};

}  // namespace fsieve::io::table
