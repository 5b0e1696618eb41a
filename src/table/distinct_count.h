// How many different values a column has, in little memory: exact for few, an estimate for many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace fsieve::io::inline table {

// Numbers that are spread evenly over 64 bits, the same for the same value in every run.
[[nodiscard]] std::uint64_t hash_of(double value);
[[nodiscard]] std::uint64_t hash_of(std::string_view text);

// Keeps the smallest hashes only. Of evenly spread numbers the k-th smallest of d is near k/d of
// the range, so d follows from it within some 3 %.
class DistinctCount {
 public:
  void add(std::uint64_t hash) {
    if (hash >= limit_) return;
    smallest_.push_back(hash);
    if (smallest_.size() == 2 * kKept) compact();
  }

  void merge(const DistinctCount& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);

  [[nodiscard]] double estimate() const;
  [[nodiscard]] bool exact() const { return estimate() < kKept; }

 private:
  static constexpr std::size_t kKept = 1024;

  void compact();

  std::vector<std::uint64_t> smallest_;
  std::uint64_t limit_ = UINT64_MAX;  // hashes from here on are not among the smallest
};

}  // namespace fsieve::io::table
