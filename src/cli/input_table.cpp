#include "cli/input_table.h"

#include <optional>

#include "cli/interrupt.h"

namespace fsieve::cli {

InputTable open_input(const std::string& file, const ReadOptions& options, Progress& progress) {
  std::optional<EndAtOnce> waiting;
  if (file == "-") waiting.emplace();
  InputTable table;
  table.source = open_table(file, options, table.warnings, progress);
  return table;
}

}  // namespace fsieve::cli
