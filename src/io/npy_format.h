// The header of a NumPy .npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/byte_file.h"
#include "table/original_column.h"

namespace fsieve::io {

struct NpyHeader {
  char kind = 'f';            // f, i, u or b (NumPy's letters)
  std::size_t item_size = 8;  // bytes of one number
  bool swapped = false;       // bytes are in the other order than this machine's
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  std::uint64_t data_offset = 0;
};

// Throws when the header is damaged, the array is not a table of numbers, or the file is too short.
[[nodiscard]] NpyHeader read_npy_header(const ByteFile& file);

// The header of a table, row by row, in this machine's byte order.
[[nodiscard]] std::string npy_header_text(NumberType type, std::uint64_t rows,
                                          std::uint64_t columns);

}  // namespace fsieve::io
