// What is summed of two-valued features: how often each is +1, and the bits of all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "bits/packed_columns.h"
#include "fsieve/source.h"
#include "methods/junta/sign_features.h"
#include "stats/asked.h"

namespace fsieve::inline methods {

[[nodiscard]] SignTest test_of(const SignFeature& feature);
[[nodiscard]] std::vector<SignTest> tests_of(std::span<const SignFeature> features);

class HighCounts {
 public:
  explicit HighCounts(std::vector<SignTest> tests)
      : tests_(std::move(tests)), counts_(tests_.size()) {}

  void add(const Block& block);
  void merge(const HighCounts& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return counts_.size() * sizeof(std::uint64_t); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "high counts";
  void save_question(std::ostream& out) const;
  static HighCounts from_question(std::istream& in, const Schema& schema, Keep& keep);

  [[nodiscard]] std::uint64_t count(std::size_t j) const { return counts_[j]; }

 private:
  std::vector<SignTest> tests_;
  std::vector<std::uint64_t> counts_;
};

// A bit per row and test, set where it is +1: rows that lie elsewhere come here as these.
class PackedRows {
 public:
  explicit PackedRows(std::vector<SignTest> tests)
      : tests_(std::move(tests)), bits_(tests_.size()) {}

  void add(const Block& block);
  void merge(const PackedRows& next);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return bits_.size() * rows_ / 8; }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "packed rows";
  void save_question(std::ostream& out) const;
  static PackedRows from_question(std::istream& in, const Schema& schema, Keep& keep);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const std::vector<std::uint64_t>& column(std::size_t j) const { return bits_[j]; }
  [[nodiscard]] bool bit(std::size_t j, std::size_t row) const {
    return (bits_[j][row / 64] >> (row % 64) & 1U) != 0;
  }

 private:
  std::vector<SignTest> tests_;
  std::uint64_t rows_ = 0;
  std::vector<std::vector<std::uint64_t>> bits_;
};

}  // namespace fsieve::methods
