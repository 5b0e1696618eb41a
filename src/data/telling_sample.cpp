#include "data/telling_sample.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/random_numbers.h"
#include "base/stop.h"
#include "source/known_table.h"
#include "source/sampled_rows.h"
#include "stats/fold.h"
#include "stats/moments.h"

namespace fsieve::inline data {
namespace {

constexpr std::uint32_t purpose = 0x5a3b20;
// Rows that carry a column's variance, of which a sample has at least so many where the table has.
constexpr std::size_t rows_per_column = 64;

// Of the rows of a block: the largest square of their standardised values.
class LargestSquares {
 public:
  LargestSquares(const Schema& schema, const Design& design) : design_(design) {
    for (std::size_t j = 0; j < schema.features.size(); ++j) {
      by_level_.push_back(squares_by_level(schema.features[j], design.features[j]));
    }
  }

  void of(const Block& block, std::vector<double>& largest) const {
    largest.assign(block.rows, 0.0);
    for (std::size_t j = 0; j < by_level_.size(); ++j) {
      const DesignFeature& feature = design_.features[j];
      if (feature.constant) continue;
      const double* values = block.column(j).data();
      if (!by_level_[j].empty()) {
        for (std::size_t i = 0; i < block.rows; ++i) {
          largest[i] = std::max(largest[i], by_level_[j][static_cast<std::size_t>(values[i])]);
        }
        continue;
      }
      const DesignColumn& column = design_.columns[feature.first];
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double z = (values[i] - column.mean) / column.deviation;
        largest[i] = std::max(largest[i], z * z);
      }
    }
  }

 private:
  // Of the indicators of a category, for rows of each level; empty for numbers.
  [[nodiscard]] std::vector<double> squares_by_level(const Column& column,
                                                     const DesignFeature& feature) const {
    std::vector<double> squares(column.levels.size());
    for (std::size_t c = feature.first; c < feature.last && !squares.empty(); ++c) {
      const DesignColumn& indicator = design_.columns[c];
      for (std::size_t level = 0; level < squares.size(); ++level) {
        const double value = level == indicator.level ? 1 : 0;
        const double z = (value - indicator.mean) / indicator.deviation;
        squares[level] = std::max(squares[level], z * z);
      }
    }
    return squares;
  }

  const Design& design_;
  std::vector<std::vector<double>> by_level_;
};

// Rows, drawn one after another, and what each weighs.
class Drawing {
 public:
  Drawing(const Source& source, const Design& design, std::size_t size, std::uint64_t seed)
      : source_(source),
        squares_(source.schema(), design),
        random_(seed, purpose),
        columns_(source.schema().columns()),
        size_(static_cast<double>(size)),
        weight_(design.weight),
        rows_(static_cast<double>(design.dimensions)) {
    const std::size_t columns = std::max<std::size_t>(design.columns.size(), 1);
    per_column_ = static_cast<double>(std::clamp<std::size_t>(size / columns, 1, rows_per_column));
  }

  // `numbers`: rows of the block that are drawn whatever they hold, from its first row on.
  void add(const Block& block, std::span<const std::size_t> numbers) {
    squares_.of(block, largest_);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double weight = block.weights.empty() ? 1 : block.weights[i];
      const bool plain = !numbers.empty() && numbers.front() == i;
      if (plain) numbers = numbers.subspan(1);
      if (weight == 0) continue;
      // Its part of the variance, or of the rows, that it has most of; times all rows.
      const double part = weight * rows_ / weight_ * std::max(largest_[i], 1.0);
      if (per_column_ * part <= size_) {
        if (plain) take(block, i, weight);
        continue;
      }
      const double chance = std::min(per_column_ * part / rows_, 1.0);
      if (random_.uniform(block.first_row + i, 0)[0] >= chance) continue;
      take(block, i, weight * size_ / rows_ / chance);
      uneven_ = true;
    }
  }

  [[nodiscard]] std::unique_ptr<MemorySource> table() {
    const std::size_t rows = weights_.size();
    std::vector<double> values;
    values.reserve(rows * columns_.size());
    for (std::vector<double>& column : columns_) {
      values.insert(values.end(), column.begin(), column.end());
      column = {};
    }
    if (!uneven_ && source_.weights().empty()) weights_.clear();
    return known_table(source_.schema(), std::move(values), rows, std::move(weights_));
  }

 private:
  void take(const Block& block, std::size_t row, double weight) {
    for (std::size_t j = 0; j < columns_.size(); ++j) columns_[j].push_back(block.column(j)[row]);
    weights_.push_back(weight);
  }

  const Source& source_;
  LargestSquares squares_;
  RandomNumbers random_;
  std::vector<std::vector<double>> columns_;
  double size_;
  double weight_;
  double rows_;
  double per_column_ = 0;
  bool uneven_ = false;
  std::vector<double> weights_;
  std::vector<double> largest_;
};

}  // namespace

std::unique_ptr<MemorySource> telling_sample(const Source& source, const Design& design,
                                             std::size_t size, std::uint64_t seed,
                                             Progress& progress) {
  const std::vector<std::size_t> numbers = sampled_rows(source, size, seed);
  Drawing drawing(source, design, size, seed);
  progress.begin("sample of rows", source.rows());
  const auto reader = source.open();
  Block block;
  std::vector<std::size_t> own;
  for (std::size_t next = 0; reader->next(block);) {
    stop_if_asked();
    own.clear();
    for (; next < numbers.size() && numbers[next] < block.first_row + block.rows; ++next) {
      own.push_back(numbers[next] - block.first_row);
    }
    drawing.add(block, own);
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
  return drawing.table();
}

Design design_of_sample(const Design& design, const Source& sample, Progress& progress) {
  const Moments moments = fold(sample, Moments(sample.schema()), "means and variances", progress);
  Design own = design;
  own.rows = sample.rows();
  own.weight = moments.weight();
  own.dimensions = moments.rows();
  for (DesignColumn& column : own.columns) {
    if (column.level) {
      column.mean = moments.counts(column.feature)[*column.level] / own.weight;
      column.deviation = std::sqrt(std::max(column.mean * (1 - column.mean), 0.0));
    } else {
      const NumericMoments& known = moments.numeric(column.feature);
      column.mean = known.mean;
      column.deviation = known.low == known.high ? 0 : std::sqrt(known.squares / own.weight);
    }
  }
  return own;
}

}  // namespace fsieve::data
