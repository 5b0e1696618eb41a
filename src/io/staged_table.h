// A table written, but not yet under its name.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::io {

// What the name of an output table may end in: ".csv", ".csv.gz", …
[[nodiscard]] std::vector<std::string_view> table_extensions();

// See write_table.
[[nodiscard]] std::unique_ptr<AtomicFile> staged_table(const std::string& path, const Source& given,
                                                       const std::vector<std::size_t>& columns,
                                                       Progress& progress);

}  // namespace fsieve::io
