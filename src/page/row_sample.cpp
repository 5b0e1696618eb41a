#include "page/row_sample.h"

#include <algorithm>
#include <utility>

#include "base/random_numbers.h"

namespace fsieve::inline page {
namespace {

constexpr std::uint32_t sample_purpose = 0x5a3b1e;

// Selection sampling: each row is taken with the share of rows that are still wanted.
std::vector<std::size_t> drawn_rows(std::size_t rows, std::size_t most, std::uint64_t seed) {
  RandomChoices random(seed, sample_purpose);
  std::vector<std::size_t> drawn;
  drawn.reserve(std::min(rows, most));
  for (std::size_t row = 0; row < rows && drawn.size() < most; ++row) {
    const std::size_t wanted = most - drawn.size();
    const std::size_t left = rows - row;
    if (wanted >= left || random.below(left) < wanted) drawn.push_back(row);
  }
  return drawn;
}

}  // namespace

RowSample sample_rows(const Source& source, std::vector<std::size_t> columns, std::size_t most,
                      std::uint64_t seed, Progress& progress) {
  const std::vector<std::size_t> drawn = drawn_rows(source.rows(), most, seed);
  RowSample sample{drawn.size(), std::move(columns), {}};
  sample.values.resize(sample.rows * sample.columns.size());
  progress.begin("sampling rows", source.rows());
  const auto reader = source.open();
  Block block;
  std::size_t place = 0;
  while (place < drawn.size() && reader->next(block)) {
    for (; place < drawn.size() && drawn[place] < block.first_row + block.rows; ++place) {
      const std::size_t row = drawn[place] - block.first_row;
      for (std::size_t k = 0; k < sample.columns.size(); ++k) {
        sample.values[k * sample.rows + place] = block.column(sample.columns[k])[row];
      }
    }
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
  return sample;
}

}  // namespace fsieve::page
