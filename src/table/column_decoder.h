// Cells to the numbers of a block, once the type of the column is known.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fsieve/source.h"
#include "table/date_text.h"
#include "table/dates.h"
#include "table/table_file.h"

namespace fsieve::io::inline table {

// What is made of cells that are dates.
struct DateDecoding {
  DateStyle style;
  DatePart part;
};

class ColumnDecoder {
 public:
  // `as_levels`: number cells are levels in their shortest spelling. `passenger`: infinities are
  // allowed. `date`: cells are dates.
  ColumnDecoder(const CellReader& cells, const Column& column, bool as_levels, bool passenger,
                std::optional<DateDecoding> date = std::nullopt);

  // Numbers or level positions, NaN where missing. False when a cell does not fit the column, which
  // the scan has excluded: the file has changed.
  [[nodiscard]] bool decode(const Cells& cells, double* out) const;

  [[nodiscard]] bool wants_spelling() const {
    return kind_ == ColumnKind::categorical && !as_levels_;
  }

  // Level k is from now on translation[k].
  void renumber(const std::vector<double>& translation);

 private:
  [[nodiscard]] bool decode_number(double number, double& out) const;
  [[nodiscard]] bool decode_text(const std::string& text, double& out) const;

  const CellReader* cells_;
  ColumnKind kind_;
  bool as_levels_;
  bool passenger_;
  std::optional<DateDecoding> date_;
  std::unordered_map<std::string, double> texts_;
  std::unordered_map<double, double> numbers_;
  std::optional<double> pooled_;  // what any other level is
};

}  // namespace fsieve::io::table
