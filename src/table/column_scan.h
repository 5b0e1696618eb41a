// What one column turns out to be once all its cells have been seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "fsieve/source.h"
#include "table/column_choice.h"
#include "table/column_dates.h"
#include "table/distinct_count.h"
#include "table/rare_levels.h"
#include "table/row_numbers.h"
#include "table/set_aside.h"
#include "table/table_file.h"

namespace fsieve::io::inline table {

constexpr std::size_t kMostLevels = 1000;
constexpr std::size_t kMostCountedLevels = 65536;  // before it is clear how many rows each has
constexpr std::uint64_t kNoRow = UINT64_MAX;
constexpr std::size_t kBytesBeside = 64;  // what a table of texts takes for each

// Sees the cells of a column in file order, counts what they are, and gathers levels. The numbers
// of cells decide the type, so it is known only at the end.
class ColumnScan {
 public:
  // Of a column that ColumnChoice::as_levels wants levels whatever the cells are; numbers are then
  // levels in their shortest spelling. Of a passenger one text, or one whole number of more digits
  // than a double has, makes the column text, of any number of levels. Others are counted up to
  // kMostCountedLevels (a label: kMostLevels), or until they take `most_level_bytes`.
  ColumnScan(const CellReader& cells, const ChosenColumn& column, std::size_t most_level_bytes)
      : cells_(&cells),
        as_levels_(column.as_levels),
        passenger_(column.passenger),
        most_levels_(column.passenger  ? SIZE_MAX
                     : column.is_label ? kMostLevels
                                       : kMostCountedLevels),
        most_level_bytes_(column.passenger ? SIZE_MAX : most_level_bytes),
        days_(column.is_date),
        dates_possible_(!column.as_levels && !column.passenger && !column.is_label) {}

  // Where `held` is given it gets a value for each cell, which finish_values() makes final.
  void add(const Cells& cells, std::uint64_t first_row, double* held);

  // Takes in what was seen of the same column in the rows that follow; `rows_before` came before
  // them. Values given out are no longer final.
  void merge(const ColumnScan& next, std::uint64_t rows_before);
  void save(std::ostream& out) const;
  // Reads what save() wrote of a scan of the same column.
  void load(std::istream& in);

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
  [[nodiscard]] std::uint64_t first_text() const { return is_date() ? kNoRow : first_text_; }
  [[nodiscard]] const std::string& first_text_value() const { return first_text_value_; }
  [[nodiscard]] bool all_missing() const;
  [[nodiscard]] std::uint64_t missing_count() const;

  // Every value is a date of this style, and nothing else was asked for.
  [[nodiscard]] std::optional<DateStyle> date_style() const {
    if (!dates_possible_) return std::nullopt;
    if (days_) return DateStyle::certain;
    return all_texts() ? dates_.style() : std::nullopt;
  }
  [[nodiscard]] bool is_date() const { return date_style().has_value(); }
  // Of a column of dates.
  [[nodiscard]] const DateScan& dates() const { return dates_.scan(*date_style()); }
  // Of a column of text whose values are dates both with the day and with the month first: one.
  [[nodiscard]] std::optional<std::string> date_of_two_styles() const;

  // What decides whether it is set aside.
  [[nodiscard]] ColumnLook look() const;

  // Of numbers that are levels for one text alone, which people write where a value is missing (NA,
  // a dot): that text.
  [[nodiscard]] std::optional<std::string> mark_of_missing() const;
  // Of a column of text whose values look like numbers with commas (or, where these are read, with
  // points), or with signs of money or percent: the first.
  [[nodiscard]] std::optional<std::string> number_in_disguise() const;
  [[nodiscard]] std::uint64_t text_count() const { return text_count_; }

  // There are more than could be counted.
  [[nodiscard]] bool too_many_levels() const {
    return levels_full_ || texts_.size() + numbers_.size() > most_levels_;
  }
  // In byte order; `pool`: those that few rows have are one.
  [[nodiscard]] PooledLevels levels(bool pool) const;
  [[nodiscard]] std::string most_frequent_level() const;
  [[nodiscard]] double mean() const;

  // Whether the values given out can be made final; if not, the file must be read again.
  [[nodiscard]] bool has_values() const { return has_values_; }
  // Makes the values of all cells numbers or positions of levels in `column`; NaN: missing.
  void finish_values(const Column& column, std::span<double> values) const;

 private:
  void add_numbers(const Cells& cells, std::uint64_t first_row, double* held);
  void add_text(const Cells& cells, std::uint64_t first_row, double* held);
  std::size_t level_of(const std::string& text);
  [[nodiscard]] bool more_than_can_be_kept() const;
  void forget_levels();
  [[nodiscard]] bool all_texts() const { return text_count_ > 0 && number_count_ == 0; }
  [[nodiscard]] bool names_rows() const;
  [[nodiscard]] bool rounds_to_one() const;
  [[nodiscard]] LevelCounts level_counts() const;

  const CellReader* cells_;
  bool as_levels_;
  bool passenger_;
  std::size_t most_levels_;
  std::size_t most_level_bytes_;
  bool has_values_ = true;
  bool met_numbers_ = false;  // cells that came as numbers
  bool met_text_ = false;     // cells that came as text
  bool levels_full_ = false;
  bool beyond_exact_ = false;
  bool met_inexact_ = false;  // passengers only: a number that may be an id cut short

  std::uint64_t number_count_ = 0;
  std::uint64_t text_count_ = 0;
  std::uint64_t missing_count_ = 0;
  std::uint64_t nan_count_ = 0;
  std::uint64_t first_missing_ = kNoRow;
  std::uint64_t first_nan_ = kNoRow;
  std::uint64_t first_infinite_ = kNoRow;
  std::uint64_t first_text_ = kNoRow;
  std::string first_text_value_;
  double sum_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();

  std::unordered_map<std::string, std::size_t> texts_;  // a level to its position in the counts
  std::vector<std::uint64_t> text_counts_;
  std::size_t level_bytes_ = 0;
  std::unordered_map<double, std::uint64_t> numbers_;  // as_levels only
  bool days_;                                          // numbers that come are days
  bool dates_possible_;                                // nothing else was met so far
  ColumnDates dates_;
  DistinctCount distinct_texts_;
  RowNumbers row_numbers_;
};

}  // namespace fsieve::io::table
