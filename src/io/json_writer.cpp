// An array with one object per row.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "io/table_writer.h"
#include "table/cell_text.h"

namespace fsieve::io {
namespace {

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

class JsonWriter final : public TableWriter {
 public:
  JsonWriter(ByteSink& sink, WriterColumns columns) : sink_(sink), columns_(std::move(columns)) {
    for (const Column& column : columns_.columns) {
      names_.push_back(json_text(column.name));
      std::vector<std::string> levels;
      for (const std::string& level : column.levels) levels.push_back(json_text(level));
      levels_.push_back(std::move(levels));
    }
    sink_.write("[");
  }

  void write(const Block& block) override {
    for (std::size_t i = 0; i < block.rows; ++i) {
      line_ = first_ ? "\n{" : ",\n{";
      first_ = false;
      for (std::size_t j = 0; j < columns_.columns.size(); ++j) {
        if (j > 0) line_ += ',';
        line_ += names_[j];
        line_ += ':';
        append_value(j, block.column(columns_.positions[j])[i]);
      }
      line_ += '}';
      sink_.write(line_);
    }
  }

  void finish() override { sink_.write("\n]\n"); }

 private:
  void append_value(std::size_t j, double value) {
    if (!std::isfinite(value)) {
      line_ += "null";
    } else if (columns_.columns[j].kind == ColumnKind::categorical) {
      line_ += levels_[j].at(static_cast<std::size_t>(value));
    } else {
      append_number(line_, value);
    }
  }

  ByteSink& sink_;
  WriterColumns columns_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> levels_;
  std::string line_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<TableWriter> make_json_writer(ByteSink& sink, WriterColumns columns) {
  return std::make_unique<JsonWriter>(sink, std::move(columns));
}

}  // namespace fsieve::io
