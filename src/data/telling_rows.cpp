#include "data/telling_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/binary_lists.h"
#include "data/design_binary.h"
#include "source/known_table.h"

namespace fsieve::inline data {
namespace {

constexpr std::uint32_t purpose = 0x5a3b20;
// Rows that carry a column's variance, of which a sample has about so many where the table has.
constexpr std::size_t rows_per_column = 64;

}  // namespace

RowLottery::RowLottery(Design design, std::vector<std::uint64_t> numbers, std::uint64_t seed)
    : design_(std::move(design)),
      numbers_(std::move(numbers)),
      seed_(seed),
      random_(seed, purpose),
      size_(static_cast<double>(numbers_.size())),
      rows_(static_cast<double>(design_.dimensions)) {
  const std::size_t columns = std::max<std::size_t>(design_.columns.size(), 1);
  per_column_ =
      static_cast<double>(std::clamp<std::size_t>(numbers_.size() / columns, 1, rows_per_column));
  for (const DesignFeature& feature : design_.features) {
    by_level_.push_back(squares_by_level(feature));
  }
}

std::vector<double> RowLottery::squares_by_level(const DesignFeature& feature) const {
  std::vector<double> squares;
  if (feature.constant || !design_.columns[feature.first].level) return squares;
  // The first level that occurs has no indicator.
  auto last = static_cast<std::size_t>(feature.constant_value);
  for (std::size_t c = feature.first; c < feature.last; ++c) {
    last = std::max(last, *design_.columns[c].level);
  }
  squares.resize(last + 1);
  for (std::size_t c = feature.first; c < feature.last; ++c) {
    const DesignColumn& indicator = design_.columns[c];
    for (std::size_t level = 0; level < squares.size(); ++level) {
      const double value = level == *indicator.level ? 1 : 0;
      const double z = (value - indicator.mean) / indicator.deviation;
      squares[level] = std::max(squares[level], z * z);
    }
  }
  return squares;
}

std::vector<double> RowLottery::largest_squares(const Block& block) const {
  std::vector<double> largest(block.rows);
  for (std::size_t j = 0; j < by_level_.size(); ++j) {
    const DesignFeature& feature = design_.features[j];
    if (feature.constant) continue;
    const double* values = block.column(j).data();
    if (!by_level_[j].empty()) {
      for (std::size_t i = 0; i < block.rows; ++i) {
        const auto level = static_cast<std::size_t>(values[i]);
        if (level < by_level_[j].size()) largest[i] = std::max(largest[i], by_level_[j][level]);
      }
      continue;
    }
    const DesignColumn& column = design_.columns[feature.first];
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double z = (values[i] - column.mean) / column.deviation;
      largest[i] = std::max(largest[i], z * z);
    }
  }
  return largest;
}

double RowLottery::drawn_weight(std::size_t row, double weight, double largest_square,
                                bool plain) const {
  // Its part of the variance, or of the rows, that it has most of; times all rows.
  const double part = weight * rows_ / design_.weight * std::max(largest_square, 1.0);
  if (per_column_ * part <= size_) return plain ? weight : 0;
  const double chance = std::min(per_column_ * part / rows_, 1.0);
  return random_.uniform(row, 0)[0] < chance ? weight * size_ / rows_ / chance : 0;
}

void TellingRows::add(const Block& block) {
  const std::vector<double> largest = lottery_->largest_squares(block);
  const std::vector<std::uint64_t>& numbers = lottery_->numbers();
  auto next = std::lower_bound(numbers.begin(), numbers.end(), block.first_row);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::size_t row = block.first_row + i;
    const bool plain = next != numbers.end() && *next == row;
    if (plain) ++next;
    const double weight = block.weights.empty() ? 1 : block.weights[i];
    const double drawn = lottery_->drawn_weight(row, weight, largest[i], plain);
    if (drawn == 0) continue;
    for (std::size_t j = 0; j < columns_.size(); ++j) columns_[j].push_back(block.column(j)[i]);
    weights_.push_back(drawn);
  }
}

void TellingRows::merge(const TellingRows& next) {
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    columns_[j].insert(columns_[j].end(), next.columns_[j].begin(), next.columns_[j].end());
  }
  weights_.insert(weights_.end(), next.weights_.begin(), next.weights_.end());
}

void TellingRows::save(std::ostream& out) const {
  for (const auto& column : columns_) save_values(out, column);
  save_values(out, weights_);
}

void TellingRows::load(std::istream& in) {
  for (auto& column : columns_) load_list(in, column);
  load_list(in, weights_);
}

// A block brings few rows, however large the sample: not so large that blocks must wait.
std::size_t TellingRows::bytes() const { return columns_.size() * sizeof(double); }

void TellingRows::save_question(std::ostream& out) const {
  save_design(out, lottery_->design());
  save_values(out, lottery_->numbers());
  save_value(out, lottery_->seed());
}

TellingRows TellingRows::from_question(std::istream& in, const Schema& schema, Keep& /*keep*/) {
  Design design = load_design(in);
  std::vector<std::uint64_t> numbers;
  load_list(in, numbers);
  std::uint64_t seed = 0;
  load_value(in, seed);
  return {std::make_shared<RowLottery>(std::move(design), std::move(numbers), seed),
          schema.columns()};
}

std::unique_ptr<MemorySource> TellingRows::table(const Schema& schema) const {
  std::vector<double> values;
  values.reserve(weights_.size() * columns_.size());
  for (const auto& column : columns_) values.insert(values.end(), column.begin(), column.end());
  const bool even =
      std::all_of(weights_.begin(), weights_.end(), [](double weight) { return weight == 1; });
  return known_table(schema, std::move(values), weights_.size(),
                     even ? std::vector<double>{} : weights_);
}

}  // namespace fsieve::data
