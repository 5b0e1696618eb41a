#include "source/sampled_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random_numbers.h"
#include "base/stop.h"
#include "source/checked_source.h"
#include "source/known_table.h"
#include "source/parted_source.h"

namespace fsieve::inline source {
namespace {

constexpr std::uint32_t purpose = 0x5a3b1f;

// The end of run k when `rows` are cut into `size` runs. Without the product, which may not fit.
std::size_t cut(std::size_t k, std::size_t size, std::size_t rows) {
  return rows / size * k + rows % size * k / size;
}

// Rows of the table that stand for any.
std::vector<std::size_t> present(std::span<const double> weights) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) rows.push_back(i);
  }
  return rows;
}

}  // namespace

std::vector<std::size_t> sampled_rows(std::size_t rows, std::size_t size, std::uint64_t seed) {
  std::vector<std::size_t> numbers(std::min(rows, size));
  if (size >= rows) {
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
  }
  RandomChoices random(seed, purpose);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t first = cut(k, size, rows);
    numbers[k] = first + random.below(cut(k + 1, size, rows) - first);
  }
  return numbers;
}

std::vector<std::size_t> sampled_rows(const Source& source, std::size_t size, std::uint64_t seed) {
  const std::span<const double> weights = source.weights();
  if (weights.empty()) return sampled_rows(source.rows(), size, seed);
  const std::vector<std::size_t> rows = present(weights);
  std::vector<std::size_t> chosen = sampled_rows(rows.size(), size, seed);
  for (std::size_t& row : chosen) row = rows[row];
  return chosen;
}

std::unique_ptr<MemorySource> sampled_table(const Source& source, std::size_t size,
                                            std::uint64_t seed, Progress& progress) {
  const CheckedInput checked(source);
  const std::vector<std::size_t> numbers = sampled_rows(*checked, size, seed);
  if (const Parts parts = parts_of(*checked); parts.source != nullptr) {
    return rows_at(parts, numbers, progress);
  }
  const std::size_t columns = checked->schema().columns();
  std::vector<double> values(numbers.size() * columns);
  std::vector<double> weights;
  for (const std::size_t row : numbers) {
    if (!checked->weights().empty()) weights.push_back(checked->weights()[row]);
  }
  progress.begin("sample of rows", checked->rows());
  const auto reader = checked->open();
  Block block;
  for (std::size_t next = 0; next < numbers.size() && reader->next(block);) {
    stop_if_asked();
    const std::size_t begin = next;
    while (next < numbers.size() && numbers[next] < block.first_row + block.rows) ++next;
    for (std::size_t j = 0; j < columns; ++j) {
      const auto column = block.column(j);
      for (std::size_t k = begin; k < next; ++k) {
        values[j * numbers.size() + k] = column[numbers[k] - block.first_row];
      }
    }
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
  return known_table(checked->schema(), std::move(values), numbers.size(), std::move(weights));
}

}  // namespace fsieve::source
