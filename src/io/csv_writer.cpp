#include <cmath>
#include <utility>

#include "io/table_writer.h"
#include "table/cell_text.h"

namespace fsieve::io {
namespace {

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(ByteSink& sink, char delimiter, WriterColumns columns)
      : sink_(sink), delimiter_(delimiter), columns_(std::move(columns)) {
    for (std::size_t j = 0; j < columns_.columns.size(); ++j) {
      if (j > 0) line_ += delimiter_;
      line_ += quoted(columns_.columns[j].name);
      std::vector<std::string> levels;
      for (const std::string& level : columns_.columns[j].levels) levels.push_back(quoted(level));
      levels_.push_back(std::move(levels));
    }
    line_ += '\n';
    sink_.write(line_);
  }

  void write(const Block& block) override {
    for (std::size_t i = 0; i < block.rows; ++i) {
      line_.clear();
      for (std::size_t j = 0; j < columns_.columns.size(); ++j) {
        if (j > 0) line_ += delimiter_;
        const double value = block.column(columns_.positions[j])[i];
        if (std::isnan(value)) continue;  // missing: an empty field
        if (columns_.columns[j].kind == ColumnKind::categorical) {
          line_ += levels_[j].at(static_cast<std::size_t>(value));
        } else {
          append_number(line_, value);
        }
      }
      line_ += '\n';
      sink_.write(line_);
    }
  }

  void finish() override {}

 private:
  [[nodiscard]] std::string quoted(const std::string& text) const {
    const bool plain = !text.empty() && text.find_first_of("\"\r\n,;|\t") == std::string::npos &&
                       text.find(delimiter_) == std::string::npos &&
                       trim_blanks(text).size() == text.size();
    if (plain) return text;
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"') out += '"';
      out += c;
    }
    return out + '"';
  }

  ByteSink& sink_;
  char delimiter_;
  WriterColumns columns_;
  std::vector<std::vector<std::string>> levels_;  // quoted where needed
  std::string line_;
};

}  // namespace

std::unique_ptr<TableWriter> make_csv_writer(ByteSink& sink, char delimiter,
                                             WriterColumns columns) {
  return std::make_unique<CsvWriter>(sink, delimiter, std::move(columns));
}

}  // namespace fsieve::io
