// The first pass over a file: types, levels, means, number of rows, and everything that is wrong.
#pragma once

#include <optional>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/progress.h"
#include "io/byte_file.h"
#include "io/column_choice.h"
#include "io/column_scan.h"
#include "io/held_values.h"
#include "io/table_file.h"
#include "io/table_layout.h"

namespace fsieve::io {

struct ScannedTable {
  TableLayout layout;
  bool any_missing = false;  // layout.rows still counts incomplete rows
  // The columns, NaN where missing, when they fit into the memory allowed.
  std::optional<HeldValues> values;
};

[[nodiscard]] ScannedTable scan_table(const ByteFile& bytes, const TableFile& file,
                                      const CellReader& cells,
                                      const std::vector<ChosenColumn>& chosen,
                                      const ReadOptions& options, Progress& progress);

}  // namespace fsieve::io
