#include "cli/csv_output.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "cli/standard_output.h"

namespace fsieve::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16U;

// Quoted where it must be.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

struct OutputColumn {
  std::size_t position = 0;  // in a block
  std::string name;
  std::vector<std::string> levels;  // as fields; empty: a numeric column
};

OutputColumn output_column(const Schema& schema, std::size_t position) {
  const Column& column =
      position < schema.features.size() ? schema.features[position] : schema.label.value();
  OutputColumn output{position, field(column.name), {}};
  for (const std::string& level : column.levels) output.levels.push_back(field(level));
  return output;
}

void append_value(std::string& text, const OutputColumn& column, double value) {
  if (column.levels.empty()) {
    fmt::format_to(std::back_inserter(text), "{}", value);  // shortest that reads back the same
  } else {
    text += column.levels.at(static_cast<std::size_t>(value));
  }
}

}  // namespace

void write_csv_to_stdout(const Source& source, const std::vector<std::size_t>& columns,
                         Progress& progress) {
  std::vector<OutputColumn> outputs;
  std::string text;
  for (const std::size_t position : columns) {
    outputs.push_back(output_column(source.schema(), position));
    text += (text.empty() ? "" : ",") + outputs.back().name;
  }
  text += '\n';

  progress.begin("writing", source.rows());
  Block block;
  const auto reader = source.open();
  while (reader->next(block)) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      for (std::size_t j = 0; j < outputs.size(); ++j) {
        if (j > 0) text += ',';
        append_value(text, outputs[j], block.column(outputs[j].position)[i]);
      }
      text += '\n';
      if (text.size() >= kBufferBytes) {
        write_stdout(text);
        text.clear();
      }
    }
    progress.advance(block.first_row + block.rows);
  }
  write_stdout(text);
  progress.end();
}

}  // namespace fsieve::cli
