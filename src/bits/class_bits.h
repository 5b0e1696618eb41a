// Two-valued columns as bits, with the rows in the order of their classes, so that every class is a
// range of words: what counting per class runs over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fsieve::inline bits {

// Where the rows of each class stand when they are sorted by class. Every class begins at a word,
// aligned so that no vector crosses a cache line.
struct ClassSegments {
  // A range of words with the rows of one class.
  struct Segment {
    std::size_t first = 0;
    std::size_t words = 0;
  };

  std::vector<Segment> segments;    // per class
  std::vector<std::uint32_t> rows;  // per class, how many
  std::size_t words = 0;            // of a column

  ClassSegments() = default;
  explicit ClassSegments(std::vector<std::uint32_t> rows_per_class);

  [[nodiscard]] std::size_t classes() const { return segments.size(); }
};

// The same with the place of every row.
struct ClassOrder : ClassSegments {
  std::vector<std::size_t> place;  // the bit of each row

  // `codes`: the class of each row, below `classes`.
  ClassOrder(const std::vector<std::size_t>& codes, std::size_t classes);

  void set(std::uint64_t* column, std::size_t row) const {
    column[place[row] / 64] |= std::uint64_t{1} << (place[row] % 64);
  }
};

// Counts may be read and columns of bits be read past the end by this much.
inline constexpr std::size_t vector_slack = 16;

// Columns of bits, each at the start of a cache line.
class BitStore {
 public:
  BitStore() = default;
  BitStore(std::size_t columns, std::size_t words);

  [[nodiscard]] bool ready() const { return !storage_.empty(); }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::uint64_t* column(std::size_t k) {
    return storage_.data() + start_ + k * words_;
  }
  [[nodiscard]] const std::uint64_t* column(std::size_t k) const {
    return storage_.data() + start_ + k * words_;
  }

 private:
  std::size_t columns_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> storage_;
  std::size_t start_ = 0;
};

// Common bits of every row column with every other column, one count per class and pair.
class BlockCounts {
 public:
  void resize(std::size_t classes, std::size_t rows, std::size_t columns);
  [[nodiscard]] std::uint32_t* row(std::size_t k, std::size_t r) {
    return counts_.data() + k * plane_ + r * stride_;
  }
  // `limits`: as in CountBlock.
  void add(const ClassSegments& order, const std::vector<const std::uint64_t*>& rows,
           const std::size_t* limits, const std::vector<const std::uint64_t*>& columns);

 private:
  std::size_t stride_ = 0;
  std::size_t plane_ = 0;
  std::vector<std::uint32_t> counts_;
};

}  // namespace fsieve::bits
