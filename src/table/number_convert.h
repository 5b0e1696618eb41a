// Numbers of any machine type as doubles.
#pragma once

#include <cstddef>

namespace fsieve::io::inline table {

// Copies `count` numbers that lie `step` bytes apart; `swapped`: their bytes are in the order of
// the other sort of machine.
using NumberConverter = void (*)(const char* from, std::ptrdiff_t step, bool swapped, double* to,
                                 std::size_t count);

// `kind` is NumPy's letter: f, i, u, or b for one byte that is 0 or not.
[[nodiscard]] NumberConverter number_converter(char kind, std::size_t item_size);

}  // namespace fsieve::io::table
