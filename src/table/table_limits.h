// How large a table may be that is still believed to be one. A file of a few hundred kilobytes can
// say anything (gzip packs commas a thousandfold), so these are checked while it is read, before
// memory is taken. docs/data.md names them.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fsieve/error.h"

namespace fsieve::io::inline table {

constexpr std::uint64_t kMostColumns = 1'000'000;
constexpr std::size_t kLongestCell = std::size_t{16} << 20U;  // bytes of one field of a text
constexpr std::size_t kLongestRow = std::size_t{64} << 20U;   // bytes of one row of a text

[[noreturn]] inline void fail_too_many_columns(std::string_view file_name) {
  throw Error(fmt::format("{}: more than {} columns, which no table that fsieve reads may have",
                          file_name, kMostColumns));
}

// `where` in the file: "row 3".
[[noreturn]] inline void fail_long_cell(std::string_view file_name, std::string_view where) {
  throw Error(fmt::format("{}: {}: a cell is longer than {} MiB (a quote that is never closed?)",
                          file_name, where, kLongestCell >> 20U));
}

}  // namespace fsieve::io::table
