#include <fmt/format.h>

#include <utility>

#include "fsieve/error.h"
#include "io/npy_format.h"
#include "io/table_writer.h"
#include "table/shown_text.h"

namespace fsieve::io {
namespace {

class NpyWriter final : public TableWriter {
 public:
  NpyWriter(ByteSink& sink, const std::string& path, WriterColumns columns)
      : sink_(sink), columns_(std::move(columns)) {
    for (const Column& column : columns_.columns) {
      if (column.kind == ColumnKind::numeric) continue;
      throw Error(fmt::format("{}: column \"{}\" is text, and NPY files hold only numbers", path,
                              shown(column.name)));
    }
    sink_.write(npy_header_text(columns_.rows, columns_.columns.size()));
  }

  void write(const Block& block) override {
    const std::size_t columns = columns_.positions.size();
    rows_.resize(block.rows * columns);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto values = block.column(columns_.positions[j]);
      for (std::size_t i = 0; i < block.rows; ++i) rows_[i * columns + j] = values[i];
    }
    sink_.write({reinterpret_cast<const char*>(rows_.data()), rows_.size() * sizeof(double)});
  }

  void finish() override {}

 private:
  ByteSink& sink_;
  WriterColumns columns_;
  std::vector<double> rows_;  // the block row by row
};

}  // namespace

std::unique_ptr<TableWriter> make_npy_writer(ByteSink& sink, const std::string& path,
                                             WriterColumns columns) {
  return std::make_unique<NpyWriter>(sink, path, std::move(columns));
}

}  // namespace fsieve::io
