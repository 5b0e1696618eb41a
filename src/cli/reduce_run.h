// What `reduce` and `demo` have in common: run the method, write and print what it found.
#pragma once

#include <string>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/result.h"
#include "fsieve/uffs.h"
#include "options/option_values.h"

namespace fsieve::cli {

// Positions in a block of the selected features, in input order, and of the label if there is one.
[[nodiscard]] std::vector<std::size_t> reduced_columns(const UffsResult& found,
                                                       const Schema& schema);

// On standard output: JSON with --json, else the report.
void print_result(const ReduceResult& result, const OptionValues& values);

}  // namespace fsieve::cli
