#include <algorithm>
#include <utility>

#include "base/large_pages.h"
#include "base/stop.h"
#include "fsieve/source.h"
#include "source/checked_source.h"
#include "source/known_table.h"
#include "source/memory_reader.h"
#include "source/schema_check.h"
#include "source/weights.h"

namespace fsieve {

MemorySource::MemorySource(Schema schema, std::vector<double> values, std::size_t rows,
                           std::vector<double> weights)
    : MemorySource(Checked(), std::move(schema), std::move(values), rows, std::move(weights)) {
  check_table(schema_, values_, rows_);
  if (!weights_.empty()) check_weights(weights_, rows_);
}

MemorySource::MemorySource(Checked /*known*/, Schema schema, std::vector<double> values,
                           std::size_t rows, std::vector<double> weights)
    : schema_(std::move(schema)),
      values_(std::move(values)),
      rows_(rows),
      weights_(std::move(weights)) {}

std::unique_ptr<MemorySource> MemorySource::load(const Source& given) {
  const CheckedInput checked(given);
  const Source& source = *checked;
  const std::size_t columns = source.schema().columns();
  const std::size_t rows = source.rows();
  std::vector<double> values;
  values.reserve(rows * columns);
  use_large_pages(values.data(), rows * columns * sizeof(double));
  values.resize(rows * columns);
  Block block;
  const auto reader = source.open();
  while (reader->next(block)) {
    for (std::size_t j = 0; j < columns; ++j) {
      stop_if_asked();
      const auto column = block.column(j);
      std::copy(column.begin(), column.end(), values.begin() + j * rows + block.first_row);
    }
  }
  const auto weights = source.weights();
  return known_table(source.schema(), std::move(values), rows, {weights.begin(), weights.end()});
}

std::unique_ptr<MemorySource> known_table(Schema schema, std::vector<double> values,
                                          std::size_t rows, std::vector<double> weights) {
  // Not std::make_unique: the constructor is private.
  return std::unique_ptr<MemorySource>(new MemorySource(
      MemorySource::Checked(), std::move(schema), std::move(values), rows, std::move(weights)));
}

std::unique_ptr<BlockReader> MemorySource::open() const {
  return std::make_unique<MemoryReader>(*this);
}

}  // namespace fsieve
