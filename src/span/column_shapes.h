// How many rows carry a column, and how many columns could have its values: what sums must keep
// beside inner products where the rows go.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <utility>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::inline span {

// Accumulates powers of the columns' values (x − shift)/scale, and how often each value occurs
// while they are few.
class ColumnShapes {
 public:
  // One of each per column of numbers.
  ColumnShapes(std::vector<double> shift, std::vector<double> scale);

  void add(const Block& block);
  void merge(const ColumnShapes& other);  // whatever its units
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // (Σ d²)² / Σ d⁴, d the distance from the mean: all rows carry the column's variance, or a few.
  [[nodiscard]] double carriers(std::size_t column, double mean) const;

  // Rows of the most frequent value, weights counted; 0 where values are too many to be counted.
  [[nodiscard]] double usual_rows(std::size_t column) const;

  // The logarithm of the number of columns with the same values; infinite where these are many, or
  // most of them different, so that their digits are evidence.
  [[nodiscard]] double log_arrangements(std::size_t column) const;

 private:
  static constexpr std::size_t powers = 5;  // 0 to 4

  struct Shape {
    std::array<double, powers> sums{};
    std::vector<std::pair<double, double>> counts;  // value and weight, ascending
    bool many = false;                              // values, which are not counted any more

    void count(double value, double weight);
  };

  std::vector<double> shift_;
  std::vector<double> scale_;
  std::vector<Shape> shapes_;
};

}  // namespace fsieve::span
