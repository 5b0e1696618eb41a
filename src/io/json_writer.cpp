// An array with one object per row.
#include <fmt/format.h>

#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "io/table_writer.h"

namespace fsieve::io {
namespace {

class JsonWriter final : public TableWriter {
 public:
  JsonWriter(ByteSink& sink, std::string path, WriterColumns columns)
      : sink_(sink), path_(std::move(path)), columns_(std::move(columns)) {
    for (const std::string& name : columns_.names) {
      std::string text;
      (void)append_json_text(name, text);  // names are UTF-8
      names_.push_back(std::move(text));
    }
    sink_.write("[");
  }

  void write(const WrittenRows& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      line_ = first_ ? "\n{" : ",\n{";
      first_ = false;
      for (std::size_t j = 0; j < rows.columns.size(); ++j) {
        if (j > 0) line_ += ',';
        line_ += names_[j];
        line_ += ':';
        if (!rows.columns[j].cells->append_json(rows.columns[j].first + i, line_)) {
          fail_not_utf8(path_, columns_.names[j]);
        }
      }
      line_ += '}';
      sink_.write(line_);
    }
  }

  void finish() override { sink_.write("\n]\n"); }

 private:
  ByteSink& sink_;
  std::string path_;
  WriterColumns columns_;
  std::vector<std::string> names_;  // as JSON
  std::string line_;
  bool first_ = true;
};

}  // namespace

void fail_not_utf8(const std::string& path, const std::string& column) {
  throw Error(
      fmt::format("{}: column \"{}\" has text that is not UTF-8, which only .csv and .tsv can hold",
                  path, shown(column)));
}

std::unique_ptr<TableWriter> make_json_writer(ByteSink& sink, const std::string& path,
                                              WriterColumns columns) {
  return std::make_unique<JsonWriter>(sink, path, std::move(columns));
}

}  // namespace fsieve::io
