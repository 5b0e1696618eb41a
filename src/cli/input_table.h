// What is wrong with the table a command reads.
#pragma once

#include <string>

#include "fsieve/error.h"
#include "fsieve/io.h"

namespace fsieve::cli {

// What is wrong with the data is wrong with the file; errors of reading already say so. Rows are
// those of the file that `table` was opened from.
[[nodiscard]] Error about_file(const Error& error, const std::string& file, const Source& table);

}  // namespace fsieve::cli
