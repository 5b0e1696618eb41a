// The page of `fsieve report` on a table from Python.
#pragma once

#include <string>

#include "fsieve/progress.h"
#include "request.h"
#include "table.h"

namespace fsieve::python {

// Throws Error as the command line would say it.
[[nodiscard]] std::string report_page(const Table& table, const Request& request,
                                      Progress& progress);

}  // namespace fsieve::python
