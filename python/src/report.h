// The page of `fsieve report` on a table from Python.
#pragma once

#include <string>

#include "call.h"
#include "fsieve/progress.h"
#include "table.h"

namespace fsieve::python {

// Throws Error as the command line would say it.
[[nodiscard]] std::string report_page(const Table& table, const Call& call, Progress& progress);

}  // namespace fsieve::python
