// The methods on a table from Python: options as the command line takes them, the result as the
// JSON it prints.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/progress.h"
#include "table.h"

namespace fsieve::python {

struct Request {
  std::string command;                         // "reduce", "select"
  std::map<std::string, std::string> options;  // by long name; a flag has an empty text
  std::vector<double> weights;                 // one per row; empty: all 1
};

// Throws Error as the command line would say it.
[[nodiscard]] std::string run(const Table& table, const Request& request, Progress& progress);

}  // namespace fsieve::python
