// Large pages for large arrays: the first touch of a page of 4 KiB costs more than filling it, and
// a table of some MiB is copied a few times before anything is computed.
#pragma once

#include <cstddef>

namespace fsieve::inline base {

constexpr std::size_t large_page = std::size_t{1} << 21U;

// Asks the system for large pages for memory that is allocated and not touched yet. Arrays of less
// than a few MiB stay as they are, and so do systems that have none.
void use_large_pages(const void* memory, std::size_t bytes);

}  // namespace fsieve::base
