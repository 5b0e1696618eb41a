// Which values the columns of a table have, as far as two-valued features ask: the values of a
// numeric column while there are at most two, and how many rows have each; the rows of each level
// of a categorical one. Of numbers also which rows have which value, where that is wanted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline bits {

struct FewValues {
  std::array<double, 2> values{};  // in the order in which they occur
  std::array<std::uint64_t, 2> rows{};
  int distinct = 0;                   // 3: more than two, and nothing else is known
  bool keeps_bits = false;            // are these kept:
  std::vector<std::uint64_t> second;  // bit i: row i has the second value

  void add(std::span<const double> column);
  void merge(const FewValues& other);

  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
  [[nodiscard]] std::uint64_t rows_high() const;
  // Bit i, of two values: row i has the larger one.
  [[nodiscard]] std::vector<std::uint64_t> high_bits() const;

 private:
  void note(double value, std::uint64_t count);
  // Behind the rows that were counted.
  void append(std::span<const std::uint64_t> bits, std::size_t count);
};

class ColumnValues {
 public:
  explicit ColumnValues(const Schema& schema, bool keep_bits = false);

  void add(const Block& block);
  void merge(const ColumnValues& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it: the schema says all.
  static constexpr const char* question = "column values";
  void save_question(std::ostream& /*out*/) const {}
  static ColumnValues from_question(std::istream& /*in*/, const Schema& schema, Keep& /*keep*/) {
    return ColumnValues(schema);
  }

  [[nodiscard]] const FewValues& numeric(std::size_t column) const { return numeric_[column]; }
  [[nodiscard]] const std::vector<std::uint64_t>& levels(std::size_t column) const {
    return levels_[column];
  }

 private:
  std::vector<FewValues> numeric_;
  std::vector<std::vector<std::uint64_t>> levels_;  // empty for numeric columns
};

}  // namespace fsieve::bits
