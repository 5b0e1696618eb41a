// Inner products of single two-valued columns from bit counts (depth 1, any number of columns).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "data/design.h"
#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline span {

// Counts, for every pair of a row column and a new column, the rows of the data in which they
// differ.
class SignPairs {
 public:
  SignPairs(const Design& design, std::vector<std::size_t> row_columns,
            std::vector<std::size_t> new_columns);

  void add(const Block& block);
  void merge(const SignPairs& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const {
    return (differ_.size() + row_minus_.size() + new_minus_.size()) * sizeof(std::int64_t);
  }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "sign pairs";
  void save_question(std::ostream& out) const;
  static SignPairs from_question(std::istream& in, const Schema& schema, Keep& keep);

  // The inner product of the standardised columns.
  [[nodiscard]] double product(std::size_t row, std::size_t column) const;

 private:
  const Design* design_;
  std::vector<std::size_t> row_columns_;
  std::vector<std::size_t> new_columns_;
  std::vector<std::int64_t> differ_;     // rows x new
  std::vector<std::int64_t> row_minus_;  // how often each is −1
  std::vector<std::int64_t> new_minus_;
};

}  // namespace fsieve::span
