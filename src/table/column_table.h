// Columns that another program holds in memory, as a table of cells.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "table/column_source.h"
#include "table/held_values.h"
#include "table/table_file.h"
#include "table/table_layout.h"

namespace fsieve::io::inline table {

class ColumnTable final : public TableFile {
 public:
  explicit ColumnTable(const std::vector<NamedColumn>& columns) : columns_(columns) {
    for (const NamedColumn& column : columns) {
      names_.push_back({column.name, column.unusable_type, column.is_date});
    }
  }

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return names_; }
  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& request) const override;

 private:
  const std::vector<NamedColumn>& columns_;
  std::vector<FileColumn> names_;
};

// Throws Error unless all have the same number of rows.
void check_lengths(const std::string& name, const std::vector<NamedColumn>& columns);

// Reads the cells of a table whose layout is known.
[[nodiscard]] HeldValues decoded_values(const ColumnTable& columns, const TableLayout& layout);

}  // namespace fsieve::io::table
