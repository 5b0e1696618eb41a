#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/weights.h"
#include "fsieve/error.h"
#include "fsieve/source.h"

namespace fsieve {
namespace {

// Hands out views of the table; nothing is copied.
class MemoryReader final : public BlockReader {
 public:
  explicit MemoryReader(const MemorySource& source)
      : source_(source), step_(block_rows(source.schema().columns())) {}

  bool next(Block& block) override {
    if (row_ >= source_.rows()) return false;
    block.first_row = row_;
    block.rows = std::min(step_, source_.rows() - row_);
    block.stride = source_.rows();
    block.values = source_.in_memory().data() + row_;
    block.weights = part_of(source_.weights(), row_, block.rows);
    row_ += block.rows;
    return true;
  }

 private:
  const MemorySource& source_;
  std::size_t step_;
  std::size_t row_ = 0;
};

}  // namespace

MemorySource::MemorySource(Schema schema, std::vector<double> values, std::size_t rows,
                           std::vector<double> weights)
    : schema_(std::move(schema)),
      values_(std::move(values)),
      rows_(rows),
      weights_(std::move(weights)) {
  if (values_.size() != rows_ * schema_.columns()) {
    throw Error(fmt::format("{} values do not make {} rows of {} columns", values_.size(), rows_,
                            schema_.columns()));
  }
  if (!weights_.empty()) check_weights(weights_, rows_);
}

std::unique_ptr<MemorySource> MemorySource::load(const Source& source) {
  const std::size_t columns = source.schema().columns();
  const std::size_t rows = source.rows();
  std::vector<double> values(rows * columns);
  Block block;
  const auto reader = source.open();
  while (reader->next(block)) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto column = block.column(j);
      std::copy(column.begin(), column.end(), values.begin() + j * rows + block.first_row);
    }
  }
  const auto weights = source.weights();
  return std::make_unique<MemorySource>(source.schema(), std::move(values), rows,
                                        std::vector<double>(weights.begin(), weights.end()));
}

std::unique_ptr<BlockReader> MemorySource::open() const {
  return std::make_unique<MemoryReader>(*this);
}

}  // namespace fsieve
