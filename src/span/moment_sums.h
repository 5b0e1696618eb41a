// Sums over rows of all the products that a MomentIndex numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "base/buffer.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "span/moment_index.h"

namespace fsieve::inline span {

// Real: double, or float where the sums only screen. `bytes`: as which a fold counts it.
//
// Of the 2t symbols of a product, in falling order, the first half is one function (left) and the
// second another (right). Right ones are all sequences whose first symbol is no larger than the
// last of the left one: the first ones in order. So the products of some left ones with the first
// right ones are one matrix product, and what a left one gives stands side by side.
template <class Real>
class MomentSums {
 public:
  // Rows whose products are summed before they are added to what there is, and how often that is
  // done before the sum is added in double precision.
  static constexpr std::size_t slice_rows = 256;
  static constexpr std::size_t most_slices = 32;
  // At most so often a sum is rounded in single precision.
  static constexpr std::size_t roundings = slice_rows + most_slices;

  MomentSums(const Design& design, MomentIndex index, std::size_t bytes);

  void add(const Block& block);
  void merge(const MomentSums& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  [[nodiscard]] const MomentIndex& index() const { return index_; }
  // By number, per unit of weight.
  [[nodiscard]] Buffer moments() const;

 private:
  // One half of a product: its first column times a half that has one symbol less.
  struct Half {
    std::array<std::uint32_t, max_depth> symbols;
    std::size_t rest;
  };
  // Left halves [first, last) times the right halves before `rights`, from `place` of the sums on.
  struct Panel {
    std::size_t first;
    std::size_t last;
    std::size_t rights;
    std::size_t place;
  };
  struct Task {
    std::size_t panel;
    std::size_t left;
    std::size_t lefts;
    std::size_t right;
    std::size_t rights;
  };

  void number_halves();
  void cut_panels();
  void evaluate(const Block& block, std::size_t row, std::size_t count);
  void multiply(std::size_t count);
  void settle();
  [[nodiscard]] std::size_t rights_up_to(std::uint32_t symbol) const;

  const Design* design_;
  MomentIndex index_;
  std::size_t bytes_;
  std::vector<Half> halves_;                       // in order
  std::vector<std::vector<std::size_t>> by_size_;  // halves of so many symbols
  std::vector<std::size_t> lefts_;                 // halves, panel by panel
  std::vector<Panel> panels_;
  std::vector<Task> tasks_;
  Buffer sums_;
  std::size_t slices_ = 0;     // summed since the last settlement
  std::vector<Real> running_;  // the sums of these
  std::vector<Real> columns_;  // scratch: the columns on a slice of rows,
  std::vector<Real> values_;   // the halves on them,
  std::vector<Real> left_;     // and the left ones side by side
};

extern template class MomentSums<double>;
extern template class MomentSums<float>;

}  // namespace fsieve::span
