#include <utility>

#include "fsieve/source.h"
#include "source/checked_source.h"
#include "source/weights.h"

namespace fsieve {
namespace {

class WeightedReader final : public BlockReader {
 public:
  WeightedReader(const Source& source, std::span<const double> weights)
      : source_(source), rows_(source_->open()), weights_(weights) {}

  bool next(Block& block) override {
    if (!rows_->next(block)) return false;
    block.weights = part_of(weights_, block.first_row, block.rows);
    return true;
  }

 private:
  CheckedInput source_;  // its blocks say to which rows the weights belong
  std::unique_ptr<BlockReader> rows_;
  std::span<const double> weights_;
};

}  // namespace

WeightedSource::WeightedSource(const Source& source, std::vector<double> weights)
    : source_(source), weights_(std::move(weights)) {
  check_weights(weights_, source.rows());
}

std::unique_ptr<BlockReader> WeightedSource::open() const {
  return std::make_unique<WeightedReader>(source_, weights_);
}

}  // namespace fsieve
