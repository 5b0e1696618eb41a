// The rows of a sample on which every column can be judged, as a statistic of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "base/random_numbers.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline data {

// What is drawn, for all rows the same.
class RowLottery {
 public:
  // `numbers`: rows that are drawn unless they stick out, ascending.
  RowLottery(Design design, std::vector<std::uint64_t> numbers, std::uint64_t seed);

  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  // Of the rows of a block: the largest square of their standardised values.
  [[nodiscard]] std::vector<double> largest_squares(const Block& block) const;

  // What a row weighs in the sample, if it is drawn; 0: it is not. `plain`: it is among the
  // numbers.
  [[nodiscard]] double drawn_weight(std::size_t row, double weight, double largest_square,
                                    bool plain) const;

 private:
  // Of the indicators of a category, for rows of each level; empty for numbers.
  [[nodiscard]] std::vector<double> squares_by_level(const DesignFeature& feature) const;

  Design design_;
  std::vector<std::uint64_t> numbers_;
  std::uint64_t seed_;
  RandomNumbers random_;
  double size_;
  double rows_;
  double per_column_;
  std::vector<std::vector<double>> by_level_;
};

// Accumulates the rows that are drawn.
class TellingRows {
 public:
  TellingRows(std::shared_ptr<const RowLottery> lottery, std::size_t columns)
      : lottery_(std::move(lottery)), columns_(columns) {}

  void add(const Block& block);
  void merge(const TellingRows& next);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it.
  static constexpr const char* question = "telling rows";
  void save_question(std::ostream& out) const;
  static TellingRows from_question(std::istream& in, const Schema& schema, Keep& keep);

  // As a table; without weights where none has another than its own, which is 1.
  [[nodiscard]] std::unique_ptr<MemorySource> table(const Schema& schema) const;

 private:
  std::shared_ptr<const RowLottery> lottery_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> weights_;
};

}  // namespace fsieve::data
