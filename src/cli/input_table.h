// The table a command reads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fsieve/io.h"

namespace fsieve::cli {

struct InputTable {
  std::unique_ptr<Source> source;
  std::vector<std::string> warnings;
};

// open_table, which Ctrl-C can end while it waits for standard input.
[[nodiscard]] InputTable open_input(const std::string& file, const ReadOptions& options,
                                    Progress& progress);

}  // namespace fsieve::cli
