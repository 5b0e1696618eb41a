// NumPy arrays: the header, and numbers of every type.
#include "fuzz_table.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fsieve::fuzz::InputFile file("npy");
  return fsieve::fuzz::fuzz_table(file, data, size);
}
