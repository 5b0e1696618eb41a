// The promises of pairs of two-valued columns at the start of a round, from counts: what is left of
// a class label is then the same in all rows of a class.
#pragma once

#include <cstddef>
#include <vector>

#include "bits/class_bits.h"
#include "data/label.h"
#include "methods/forward/pair_promises.h"

namespace fsieve::inline methods {

class SignPromises {
 public:
  // `columns`: two-valued, over the rows, one after another. The label is of classes, the rows have
  // no weights, and the residual is the same within a class.
  SignPromises(const Label& label, const double* columns, std::size_t count,
               const std::vector<double>& residual);

  // As pair_promises for the first `count` columns and a weight of 1: one AND + popcount sweep per
  // pair and class instead of a multiplication per row and column of the residual.
  void for_each(std::size_t count, const PromiseTaker& take) const;

 private:
  struct Scratch {
    std::vector<const std::uint64_t*> rows, columns;
    std::vector<std::size_t> limits;
    BlockCounts counts;
    std::vector<double> promise, sums;
  };
  struct Column {
    double low = 0;
    double high = 0;
    std::vector<double> set;  // rows of each class where it is high
  };

  [[nodiscard]] double promise(const Column& u, const Column& v, const std::uint32_t* both,
                               std::size_t stride, std::vector<double>& sums) const;

  ClassOrder order_;
  std::vector<Column> columns_;
  BitStore bits_;
  std::size_t labels_;
  std::vector<double> of_class_;  // the residual of class k in its column y: [y + k * labels]
};

}  // namespace fsieve::methods
