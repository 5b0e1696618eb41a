#include "basis/parity.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace fsieve::inline basis {

std::vector<Parity> parities_with(const DesignFeature& j, const std::vector<Parity>& earlier,
                                  int depth) {
  std::vector<Parity> added;
  for (const Parity& parity : earlier) {
    if (parity.size() >= static_cast<std::size_t>(depth)) continue;
    for (std::size_t c = j.first; c < j.last; ++c) added.push_back(parity.times(c));
  }
  return added;
}

std::vector<std::size_t> columns_of(const std::vector<Parity>& parities) {
  std::vector<std::size_t> columns;
  for (const Parity& parity : parities) {
    columns.insert(columns.end(), parity.columns().begin(), parity.columns().end());
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

double parity_count(std::size_t features, int depth, double columns_per_feature) {
  double total = 0;
  double of_size = 1;  // C(features, s) times columns_per_feature^s
  for (int s = 0; s <= depth && static_cast<std::size_t>(s) <= features; ++s) {
    total += of_size;
    of_size *= static_cast<double>(features - s) / (s + 1) * columns_per_feature;
  }
  return total;
}

StandardisedRows::StandardisedRows(const Design& design, std::vector<std::size_t> columns)
    : design_(&design), columns_(std::move(columns)), slot_(design.columns.size()) {
  for (std::size_t k = 0; k < columns_.size(); ++k) slot_[columns_[k]] = k;
}

void StandardisedRows::fill(const Block& block, std::size_t row, std::size_t rows) {
  rows_ = rows;
  roots_ = RootWeights(part_of(block.weights, row, rows));
  values_.resize(rows * columns_.size());
  in_parallel(columns_.size(), [&](std::size_t k) {
    design_->standardised(block, row, rows, columns_[k], values_.data() + k * rows);
  });
}

void StandardisedRows::evaluate(const Parity& parity, double* out) const {
  if (parity.size() == 0) {
    std::fill_n(out, rows_, 1.0);
    roots_.scale(out);
    return;
  }
  const auto columns = parity.columns();
  const double* first = values_.data() + slot_[columns[0]] * rows_;
  if (columns.size() == 1) {
    std::copy_n(first, rows_, out);
    roots_.scale(out);
    return;
  }
  const double* second = values_.data() + slot_[columns[1]] * rows_;
  for (std::size_t i = 0; i < rows_; ++i) out[i] = first[i] * second[i];
  for (std::size_t f = 2; f < columns.size(); ++f) {
    const double* next = values_.data() + slot_[columns[f]] * rows_;
    for (std::size_t i = 0; i < rows_; ++i) out[i] *= next[i];
  }
  roots_.scale(out);
}

}  // namespace fsieve::basis
