// Memory for parts of Arrow that do not look whether they got it.
#pragma once

#include <arrow/memory_pool.h>

namespace fsieve::io {

// Arrow's default pool, but throwing std::bad_alloc where that says it has no memory: Parquet's
// dictionaries go on without their table then, and crash; the parser of CSV ends the program.
[[nodiscard]] arrow::MemoryPool* throwing_pool();

}  // namespace fsieve::io
