// A table that was read from a file. It is held in memory, or every pass reads the file again.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fsieve/source.h"
#include "io/input_files.h"
#include "source/trusted_source.h"
#include "table/table_layout.h"

namespace fsieve::io {

class FileSource final : public TrustedSource {
 public:
  FileSource(InputFiles bytes, std::shared_ptr<const CellReader> cells,
             std::unique_ptr<TableFile> file, TableLayout layout, std::vector<Column> kept);

  [[nodiscard]] const Schema& schema() const override {
    return held_ ? held_->schema() : layout_.schema;
  }
  [[nodiscard]] std::size_t rows() const override { return held_ ? held_->rows() : layout_.rows; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override {
    return held_ ? held_->in_memory() : std::span<const double>{};
  }

  // From now on passes read this: the table itself, in memory.
  void hold(std::unique_ptr<MemorySource> table) { held_ = std::move(table); }

  // What it is read from and how, for those that look at the file once more.
  [[nodiscard]] const InputFiles& bytes() const { return bytes_; }
  [[nodiscard]] const CellReader& cells() const { return *cells_; }
  [[nodiscard]] const TableFile& file() const { return *file_; }
  [[nodiscard]] const TableLayout& layout() const { return layout_; }
  // Every column that was chosen, those that are not read included, in file order. Of these only
  // the names and places are known.
  [[nodiscard]] const std::vector<Column>& kept() const { return kept_; }

  // Where rows are left out the scan does not know which. One more pass counts those that
  // stay and takes the levels that none of them has out of the schema.
  void count_complete_rows();

 private:
  InputFiles bytes_;
  std::shared_ptr<const CellReader> cells_;  // the decoders refer to it
  std::unique_ptr<TableFile> file_;
  TableLayout layout_;
  std::vector<Column> kept_;
  std::unique_ptr<MemorySource> held_;
};

// Of the file that a table was opened from.
[[nodiscard]] MissingCells missing_cells(const Source& table);

}  // namespace fsieve::io
