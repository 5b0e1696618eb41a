// The score of one subset of features of any kind, weights included, from its products on the rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "basis/parity.h"
#include "data/supervised_data.h"
#include "methods/union/orthonormal_products.h"
#include "methods/union/projected_label.h"

namespace fsieve::inline methods {

class SubsetProjection {
 public:
  SubsetProjection(const SupervisedData& data, const ProjectedLabel& label)
      : data_(&data), label_(&label) {}

  // By the definition: the products themselves are made orthogonal, twice.
  [[nodiscard]] double by_rows(std::span<const std::size_t> features) const;

  // From the Gram matrix of the products, in two passes over blocks of rows; by rows where its
  // digits do not suffice.
  [[nodiscard]] double by_gram(std::span<const std::size_t> features) const;

 private:
  [[nodiscard]] std::vector<Parity> parities_of(std::span<const std::size_t> features) const;
  void evaluate(const Parity& parity, std::size_t row, std::size_t rows, double* out) const;
  void scale(std::size_t row, std::size_t rows, double* values) const;
  [[nodiscard]] double sum_rows(const std::vector<Parity>& parities,
                                const OrthonormalProducts& found) const;

  const SupervisedData* data_;
  const ProjectedLabel* label_;
};

}  // namespace fsieve::methods
