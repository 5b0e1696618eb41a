#include "cli/input_table.h"

#include <string_view>

#include "methods/junta/search_state.h"
#include "source/row_error.h"

namespace fsieve::cli {

Error about_file(const Error& error, const std::string& file, const Source& table) {
  if (const auto* const in_row = dynamic_cast<const RowError*>(&error)) {
    return about_file(in_row->numbered(row_in_file(table, in_row->row())), file, table);
  }
  if (dynamic_cast<const CheckpointError*>(&error) != nullptr) return error;
  const std::string name = file == "-" ? "standard input" : file;
  const std::string_view message = error.what();
  if (error.kind() != Error::Kind::data || message.starts_with(name + ":")) return error;
  return error.in(name);
}

}  // namespace fsieve::cli
