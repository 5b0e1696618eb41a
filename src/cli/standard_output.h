// Standard output, where a failed write is noticed.
#pragma once

#include <cstddef>
#include <exception>
#include <string_view>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::cli {

// The reader of our output has gone. Not an error: nothing is said.
class ClosedPipe : public std::exception {};

// Throws ClosedPipe, or Error when the text cannot be written.
void write_stdout(std::string_view text);

// The same for some columns of a source, as CSV.
void write_table_to_stdout(const Source& source, const std::vector<std::size_t>& columns,
                           Progress& progress);

}  // namespace fsieve::cli
