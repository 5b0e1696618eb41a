// What the scan of a file has decided, and how cells become block values from then on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/source.h"
#include "table/column_decoder.h"
#include "table/missing_cells.h"
#include "table/table_file.h"

namespace fsieve::io::inline table {

struct TableLayout {
  Schema schema;
  std::vector<ColumnDecoder> decoders;  // features, then the label
  std::vector<double> fill;             // what stands for a missing value under Missing::mean
  std::vector<bool> passenger;          // cells may be missing whatever `missing` says
  std::vector<bool> rows_need;          // rows without a value in it are left out
  std::vector<bool> beyond_exact;       // whole numbers that a double may not hold
  std::vector<bool> date;               // days, or a part of a date
  ReadRequest request;
  Missing missing = Missing::error;
  bool any_missing = false;           // in a column that is no passenger
  std::size_t rows = 0;               // after dropping
  std::vector<std::string> emptiest;  // names of the columns with most missing values, a few
  MissingCells missing_cells;

  [[nodiscard]] bool drops_rows() const {
    return std::find(rows_need.begin(), rows_need.end(), true) != rows_need.end();
  }
  // Level k of column j is from now on translation[k]; empty: as it was.
  void renumber(std::size_t j, const std::vector<double>& translation) {
    if (translation.empty()) return;
    decoders[j].renumber(translation);
    if (!std::isnan(fill[j])) fill[j] = translation[static_cast<std::size_t>(fill[j])];
  }
  [[nodiscard]] Column& column(std::size_t j) {
    return j < schema.features.size() ? schema.features[j] : *schema.label;
  }
};

}  // namespace fsieve::io::table
