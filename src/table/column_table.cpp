#include "table/column_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "fsieve/error.h"

namespace fsieve::io::inline table {
namespace {

// Hands the columns to the scan, some rows at a time.
class ColumnChunks final : public ChunkReader {
 public:
  ColumnChunks(const std::vector<NamedColumn>& columns, ReadRequest request)
      : columns_(columns),
        request_(std::move(request)),
        rows_(columns.empty() ? 0 : columns[0].cells->rows()) {}

  bool next(Chunk& chunk) override {
    constexpr std::size_t step = std::size_t{1} << 16U;
    if (row_ >= rows_) return false;
    chunk.first_row = row_ + 1;
    chunk.rows = std::min(step, rows_ - row_);
    chunk.columns.resize(request_.columns.size());
    for (std::size_t j = 0; j < request_.columns.size(); ++j) {
      columns_[request_.columns[j]].cells->read(row_, chunk.rows, chunk.columns[j]);
    }
    row_ += chunk.rows;
    return true;
  }

  [[nodiscard]] std::uint64_t rows_met() const override { return row_; }
  [[nodiscard]] std::uint64_t rows_in_file() const override { return rows_; }
  [[nodiscard]] std::uint64_t bytes_done() const override { return row_; }

 private:
  const std::vector<NamedColumn>& columns_;
  ReadRequest request_;
  std::size_t rows_;
  std::size_t row_ = 0;
};

}  // namespace

std::unique_ptr<ChunkReader> ColumnTable::read(const ReadRequest& request) const {
  return std::make_unique<ColumnChunks>(columns_, request);
}

void check_lengths(const std::string& name, const std::vector<NamedColumn>& columns) {
  for (const NamedColumn& column : columns) {
    if (column.cells->rows() == columns[0].cells->rows()) continue;
    throw Error(fmt::format(R"({}: column "{}" has {} rows, "{}" has {})", name, column.name,
                            column.cells->rows(), columns[0].name, columns[0].cells->rows()));
  }
}

HeldValues decoded_values(const ColumnTable& columns, const TableLayout& layout) {
  HeldValues values(layout.decoders.size(), SIZE_MAX);
  const auto reader = columns.read(layout.request);
  Chunk chunk;
  while (reader->next(chunk)) {
    if (!values.extend(chunk.rows, static_cast<double>(reader->rows_in_file())))
      throw std::bad_alloc();
    for (std::size_t j = 0; j < layout.decoders.size(); ++j) {
      double* const out = values.column(j).data() + values.rows() - chunk.rows;
      if (!layout.decoders[j].decode(chunk.columns[j], out)) {
        throw Error("the table has changed while it was read");
      }
    }
  }
  return values;
}

}  // namespace fsieve::io::table
