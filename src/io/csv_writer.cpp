#include <utility>

#include "io/table_writer.h"

namespace fsieve::io {
namespace {

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(ByteSink& sink, char delimiter, const WriterColumns& columns)
      : sink_(sink), delimiter_(delimiter) {
    for (std::size_t j = 0; j < columns.names.size(); ++j) {
      if (j > 0) line_ += delimiter_;
      append_csv_text(columns.names[j], delimiter_, line_);
    }
    line_ += '\n';
    sink_.write(line_);
  }

  void write(const WrittenRows& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      line_.clear();
      for (std::size_t j = 0; j < rows.columns.size(); ++j) {
        if (j > 0) line_ += delimiter_;
        rows.columns[j].cells->append_csv(rows.columns[j].first + i, delimiter_, line_);
      }
      // A blank line may not count as a row.
      if (line_.empty() && rows.columns.size() == 1) line_ = "\"\"";
      line_ += '\n';
      sink_.write(line_);
    }
  }

  void finish() override {}

 private:
  ByteSink& sink_;
  char delimiter_;
  std::string line_;
};

}  // namespace

std::unique_ptr<TableWriter> make_csv_writer(ByteSink& sink, char delimiter,
                                             const WriterColumns& columns) {
  return std::make_unique<CsvWriter>(sink, delimiter, columns);
}

}  // namespace fsieve::io
