// A table as CSV on standard output, block by block.
#pragma once

#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::cli {

// Some columns of a source (positions in a block), with a header row.
void write_csv_to_stdout(const Source& source, const std::vector<std::size_t>& columns,
                         Progress& progress);

}  // namespace fsieve::cli
