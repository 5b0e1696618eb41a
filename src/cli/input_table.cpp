#include "cli/input_table.h"

#include <string_view>

namespace fsieve::cli {

InputTable open_input(const std::string& file, const ReadOptions& options, Progress& progress) {
  InputTable table;
  table.source = open_table(file, options, table.warnings, progress);
  return table;
}

Error about_file(const Error& error, const std::string& file) {
  const std::string name = file == "-" ? "standard input" : file;
  const std::string_view message = error.what();
  if (error.kind() != Error::Kind::data || message.starts_with(name + ":")) return error;
  return error.in(name);
}

}  // namespace fsieve::cli
