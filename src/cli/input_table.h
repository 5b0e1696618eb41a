// The table a command reads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fsieve/error.h"
#include "fsieve/io.h"

namespace fsieve::cli {

struct InputTable {
  std::unique_ptr<Source> source;
  std::vector<std::string> warnings;
};

// open_table, which Ctrl-C can end while it waits for standard input.
[[nodiscard]] InputTable open_input(const std::string& file, const ReadOptions& options,
                                    Progress& progress);

// What is wrong with the data is wrong with the file; errors of reading already say so. Rows are
// those of the file that `table` was opened from.
[[nodiscard]] Error about_file(const Error& error, const std::string& file, const Source& table);

}  // namespace fsieve::cli
