// Means, variances and ranges of columns, and how often each level occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <span>
#include <vector>

#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline stats {

struct NumericMoments {
  double mean = 0;
  double squares = 0;  // weighted sum of (x - mean)^2
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  // The values seen while there are at most two of them.
  double values[2] = {0, 0};
  int distinct = 0;  // 3: more than two

  void note(double value);
};

// Accumulates the columns of a block (features and label).
class Moments {
 public:
  // `positions`: of the columns in a block, where the schema has only some of them.
  explicit Moments(const Schema& schema, std::vector<std::size_t> positions = {});

  void add(const Block& block);
  void merge(const Moments& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it: the schema says all.
  static constexpr const char* question = "moments";
  void save_question(std::ostream& /*out*/) const {}
  static Moments from_question(std::istream& /*in*/, const Schema& schema, Keep& /*keep*/) {
    return Moments(schema);
  }

  // Rows of positive weight (rows of weight 0 leave no trace), and the sum of all weights.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] const NumericMoments& numeric(std::size_t column) const { return numeric_[column]; }
  // The weight of the rows in which each level of a categorical column occurs.
  [[nodiscard]] const std::vector<double>& counts(std::size_t column) const {
    return counts_[column];
  }

 private:
  [[nodiscard]] std::span<const double> column(const Block& block, std::size_t j) const {
    return block.column(positions_.empty() ? j : positions_[j]);
  }

  std::vector<std::size_t> positions_;  // empty: column j is the block's
  std::uint64_t rows_ = 0;
  double weight_ = 0;
  std::vector<NumericMoments> numeric_;
  std::vector<std::vector<double>> counts_;  // empty for numeric columns
};

}  // namespace fsieve::stats
