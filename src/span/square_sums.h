// Inner products of some sets of functions, in one pass over the rows.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <utility>
#include <vector>

#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "stats/asked.h"

namespace fsieve::inline span {

// Sums over rows of the products of two functions of a set: a square matrix per set, column-major
// and one after another, of which the lower triangles count.
class SquareSums {
 public:
  SquareSums(const Design& design, std::vector<std::vector<Parity>> sets);

  void add(const Block& block);
  void merge(const SquareSums& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "square sums";
  void save_question(std::ostream& out) const;
  static SquareSums from_question(std::istream& in, const Schema& schema, Keep& keep);

  [[nodiscard]] std::vector<double> take() { return std::move(sums_); }

 private:
  void add_rows(const std::vector<Parity>& functions, double* sums);

  std::vector<std::vector<Parity>> sets_;
  std::vector<std::size_t> offsets_;  // of each set in sums_
  StandardisedRows rows_;
  std::vector<double> sums_;
};

}  // namespace fsieve::span
