// The methods on a table from Python: options as the command line takes them, the result as the
// JSON it prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "call.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "table.h"

namespace fsieve::python {

// Throws Error as the command line would say it.
[[nodiscard]] std::string run(const Table& table, const Call& call, Progress& progress);
// The same on a table that is already open; `warnings` are what was decided about its columns.
[[nodiscard]] std::string run(const Source& source, const Call& call, Progress& progress,
                              const std::vector<std::string>& warnings = {});

struct Predictions {
  std::vector<std::uint8_t> second_class;  // per row: 1 where the second class is predicted
  std::vector<double> scores;
};

// What a model says of the rows of a table.
[[nodiscard]] Predictions predict(const std::string& model_json, const Table& table,
                                  const Call& call, Progress& progress);

}  // namespace fsieve::python
