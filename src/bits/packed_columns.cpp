#include "bits/packed_columns.h"

#include <vector>

#include "base/parallel.h"
#include "bits/bit_split.h"
#include "bits/value_bits.h"
#include "data/sign_bits.h"

namespace fsieve::inline bits {

void pack_columns(const Source& source, std::span<const SignTest> tests,
                  std::span<const std::uint8_t> codes, const ClassSegments& order,
                  std::span<std::uint64_t* const> columns, Progress& progress) {
  progress.begin("packing", source.rows());
  BitSplit split(order);
  const auto reader = source.open();
  Block block;
  while (reader->next(block)) {
    split.go_on(codes.subspan(block.first_row, block.rows));
    in_parallel(tests.size(), [&](std::size_t j) {
      const SignTest& test = tests[j];
      std::vector<std::uint64_t> set(words_for(block.rows));
      (test.above ? pack_above : pack_equal)(block.column(test.position), test.mark, set.data());
      split.add(set, columns[j]);
    });
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
}

}  // namespace fsieve::bits
