// The first pass over a table: types, levels, means, number of rows, and everything that is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/progress.h"
#include "table/column_choice.h"
#include "table/column_scan.h"
#include "table/held_values.h"
#include "table/table_file.h"
#include "table/table_layout.h"

namespace fsieve::io::inline table {

struct ScannedTable {
  TableLayout layout;  // its rows still count incomplete ones
  // The columns, NaN where missing, when they fit into the memory allowed.
  std::optional<HeldValues> values;
  std::vector<std::string> warnings;
  std::vector<ColumnLook> looks;  // of every column that was chosen
  std::vector<bool> set_aside;    // for each: it is in Schema::ignored
};

// `name` is how messages call the table, `bytes` what progress is measured by, `memory` the bytes
// that values may take, `beside` features of the same table that need no scan.
[[nodiscard]] ScannedTable scan_table(const std::string& name, std::uint64_t bytes,
                                      const TableFile& file, const CellReader& cells,
                                      const std::vector<ChosenColumn>& chosen,
                                      const ReadOptions& options, std::size_t memory,
                                      Progress& progress,
                                      const std::vector<ColumnLook>& beside = {});

// The same where all cells have been looked at already: `scans` are of the chosen columns, `rows`
// counts what they have seen. There are no values then.
[[nodiscard]] ScannedTable settle_table(const std::string& name, const TableFile& file,
                                        const CellReader& cells,
                                        const std::vector<ChosenColumn>& chosen,
                                        const ReadOptions& options, std::vector<ColumnScan> scans,
                                        std::size_t rows);

// How many bytes the levels of a column may take: all together stay well below the memory allowed.
[[nodiscard]] std::size_t most_level_bytes(std::size_t memory, std::size_t columns);

}  // namespace fsieve::io::table
