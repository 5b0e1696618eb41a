// Arrow IPC files and streams (Feather), batch by batch.
#include "fuzz_table.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fsieve::fuzz::InputFile file("arrow");
  return fsieve::fuzz::fuzz_table(file, data, size);
}
