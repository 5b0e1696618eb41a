#include "source/checked_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "fsieve/error.h"
#include "source/memory_reader.h"
#include "source/schema_check.h"
#include "source/weights.h"

namespace fsieve::inline source {
namespace {

class CheckedReader final : public BlockReader {
 public:
  CheckedReader(std::unique_ptr<BlockReader> reader, const Source& checked)
      : reader_(std::move(reader)),
        schema_(checked.schema()),
        columns_(schema_.columns()),
        rows_(checked.rows()),
        weights_(checked.weights()),
        step_(block_rows(columns_)) {
    if (!reader_) throw Error("open() of the source gives no reader");
  }

  bool next(Block& block) override {
    const std::size_t wanted = std::min(step_, rows_ - row_);
    if (wanted == 0) {
      if (!ended_ && read()) too_many();
      return false;
    }
    block.first_row = row_;
    block.rows = wanted;
    block.stride = wanted;
    block.storage.resize(wanted * columns_);
    block.values = block.storage.data();
    block.weights = part_of(weights_, row_, wanted);
    for (std::size_t filled = 0; filled < wanted;) {
      if (used_ == given_.rows && !read()) {
        throw Error(fmt::format("the source says it has {} rows, but its blocks end after {}",
                                rows_, row_ + filled));
      }
      const std::size_t count = std::min(given_.rows - used_, wanted - filled);
      for (std::size_t j = 0; j < columns_; ++j) {
        std::copy_n(given_.column(j).data() + used_, count,
                    block.storage.data() + j * wanted + filled);
      }
      filled += count;
      used_ += count;
    }
    row_ += wanted;
    return true;
  }

 private:
  // The next block that has rows; false at the end.
  bool read() {
    const std::size_t before = given_.first_row + given_.rows;
    do {
      given_.first_row = given_.rows = given_.stride = 0;  // what is not set again is missed below
      given_.values = given_.apart_values = nullptr;
      given_.weights = {};
      if (!reader_->next(given_)) {
        given_.rows = 0;
        used_ = 0;
        ended_ = true;
        return false;
      }
    } while (given_.rows == 0);
    used_ = 0;
    check(before);
    return true;
  }

  void check(std::size_t before) const {
    if (given_.first_row != before) {
      throw Error(
          fmt::format("a block of the source says that it begins at row {}, but {} rows "
                      "came before it: set Block::first_row",
                      given_.first_row, before));
    }
    if (given_.rows > rows_ - before) too_many();
    if (given_.stride < given_.rows && columns_ > 1) {
      throw Error(fmt::format("a block of the source has {} rows, but a stride of {}", given_.rows,
                              given_.stride));
    }
    if (given_.values == nullptr || !storage_suffices()) {
      throw Error(fmt::format("a block of the source has no values for its {} rows", given_.rows));
    }
    for (std::size_t j = 0; j < columns_; ++j) {
      check_values(column_at(schema_, j), given_.column(j), before);
    }
    const auto weights = part_of(weights_, before, given_.rows);
    if (!given_.weights.empty() &&
        !std::equal(weights.begin(), weights.end(), given_.weights.begin(), given_.weights.end())) {
      throw Error(
          fmt::format("the weights of the source's block at row {} are not those of its "
                      "weights()",
                      before + 1));
    }
  }

  // Borrowed values have no known end.
  [[nodiscard]] bool storage_suffices() const {
    const std::size_t size = given_.storage.size();
    if (given_.values != given_.storage.data()) return true;
    if (size < given_.rows) return false;
    return columns_ < 2 || (size - given_.rows) / (columns_ - 1) >= given_.stride;
  }

  [[noreturn]] void too_many() const {
    throw Error(fmt::format("the source says it has {} rows, but its blocks have more", rows_));
  }

  std::unique_ptr<BlockReader> reader_;
  const Schema& schema_;
  std::size_t columns_;
  std::size_t rows_;
  std::span<const double> weights_;
  std::size_t step_;
  std::size_t row_ = 0;  // rows handed out
  Block given_;
  std::size_t used_ = 0;  // rows of the given block already handed out
  bool ended_ = false;
};

}  // namespace

CheckedSource::CheckedSource(const Source& source)
    : source_(source),
      schema_(source.schema()),
      rows_(source.rows()),
      values_(source.in_memory()),
      weights_(source.weights()) {
  check_schema(schema_);
  constexpr std::size_t most = PTRDIFF_MAX / sizeof(double);
  if (schema_.columns() == 0) throw Error("the source has no columns");
  if (rows_ > most / schema_.columns()) {
    throw Error(fmt::format("the source says it has {} rows, which no memory can hold", rows_));
  }
  if (!weights_.empty()) check_weights(weights_, rows_);
  if (!values_.empty()) check_table(schema_, values_, rows_);
}

std::unique_ptr<BlockReader> CheckedSource::open() const {
  if (!values_.empty()) return std::make_unique<MemoryReader>(*this);
  return std::make_unique<CheckedReader>(source_.open(), *this);
}

}  // namespace fsieve::source

namespace fsieve {

bool is_trusted(const Source& source) {
  if (dynamic_cast<const TrustedSource*>(&source) != nullptr) return true;
  if (dynamic_cast<const MemorySource*>(&source) != nullptr) return true;
  const auto* const weighted = dynamic_cast<const WeightedSource*>(&source);
  return weighted != nullptr && is_trusted(weighted->source_);
}

bool has_rows(const Source& source) {
  const auto* const trusted = dynamic_cast<const TrustedSource*>(&source);
  return trusted == nullptr || trusted->has_rows();
}

bool is_held(const Source& source) {
  const auto* const trusted = dynamic_cast<const TrustedSource*>(&source);
  return trusted != nullptr ? trusted->is_held() : !source.in_memory().empty();
}

void check_has_rows(const Source& source, std::string_view option) {
  if (has_rows(source)) return;
  throw Error(fmt::format("{} needs the rows, of which only sums were kept", option),
              Error::Kind::usage);
}

}  // namespace fsieve
