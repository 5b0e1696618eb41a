#include "source/sorted_source.h"

#include <algorithm>
#include <numeric>

#include "source/memory_reader.h"

namespace fsieve::inline source {
namespace {

class SortedReader final : public BlockReader {
 public:
  SortedReader(std::unique_ptr<BlockReader> reader, const std::vector<std::size_t>& order)
      : reader_(std::move(reader)), order_(order) {}

  bool next(Block& block) override {
    if (!reader_->next(read_)) return false;
    block.first_row = read_.first_row;
    block.rows = block.stride = read_.rows;
    block.weights = read_.weights;
    block.storage.resize(read_.rows * order_.size());
    for (std::size_t j = 0; j < order_.size(); ++j) {
      const auto column = read_.column(order_[j]);
      std::copy(column.begin(), column.end(), block.storage.data() + j * read_.rows);
    }
    block.values = block.storage.data();
    return true;
  }

 private:
  std::unique_ptr<BlockReader> reader_;
  const std::vector<std::size_t>& order_;
  Block read_;
};

constexpr const char* name = "sorted";
const KnownView known_sorted(name, [](const Source& rows, std::istream& /*saved*/) {
  return std::make_unique<SortedSource>(rows);
});

}  // namespace

SortedSource::SortedSource(const Source& source) : source_(source), schema_(source.schema()) {
  const auto& features = source.schema().features;
  order_.resize(source.schema().columns());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(features.size()),
            [&](std::size_t a, std::size_t b) { return features[a].name < features[b].name; });
  for (std::size_t j = 0; j < features.size(); ++j) schema_.features[j] = features[order_[j]];
  const auto held = source.in_memory();
  in_order_ = std::is_sorted(order_.begin(), order_.end());
  // A long table is read in blocks; a wide one is needed whole.
  constexpr std::size_t most_copied = std::size_t{32} << 20U;
  if (in_order_ || (held.size() > most_copied && source.rows() > order_.size())) return;
  values_.reserve(held.size());
  for (std::size_t j = 0; j < order_.size() && !held.empty(); ++j) {
    const auto column = held.subspan(order_[j] * source.rows(), source.rows());
    values_.insert(values_.end(), column.begin(), column.end());
  }
}

const char* SortedSource::view_name() const { return name; }

std::unique_ptr<BlockReader> SortedSource::open() const {
  if (in_order_) return source_.open();
  if (!values_.empty()) return std::make_unique<MemoryReader>(*this);
  return std::make_unique<SortedReader>(source_.open(), order_);
}

}  // namespace fsieve::source
