// A table written, but not yet under its name.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "io/atomic_file.h"

namespace fsieve::io {

// See write_table.
[[nodiscard]] std::unique_ptr<AtomicFile> staged_table(const std::string& path,
                                                       const Source& source,
                                                       const std::vector<std::size_t>& columns,
                                                       Progress& progress);

}  // namespace fsieve::io
