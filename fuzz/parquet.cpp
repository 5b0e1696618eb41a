// Parquet files, row group by row group.
#include "fuzz_table.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fsieve::fuzz::InputFile file("parquet");
  return fsieve::fuzz::fuzz_table(file, data, size);
}
