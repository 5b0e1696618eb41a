// Texts of cells: the dialect, and what the cells mean, plain and compressed.
#include "fuzz_table.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fsieve::fuzz::InputFile file("csv");
  return fsieve::fuzz::fuzz_table(file, data, size);
}
