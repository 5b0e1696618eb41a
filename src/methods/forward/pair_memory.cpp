#include "methods/forward/pair_memory.h"

#include "linalg/blas.h"
#include "linalg/column_dots.h"
#include "linalg/narrow.h"
#include "methods/forward/append_product.h"

namespace fsieve::inline methods {

std::size_t PairMemory::add(const std::vector<double>& column) {
  std::vector<float> narrow(column.size() + blas::rows_of_dots);
  blas::narrow(column.size(), column.data(), narrow.data());
  columns_.push_back(std::move(narrow));
  return columns_.size() - 1;
}

const PairMemory::Functions& PairMemory::functions(const SupervisedData& data,
                                                   const std::vector<std::size_t>& pair) {
  const auto [known, is_new] = pairs_.try_emplace(pair);
  Functions& functions = known->second;
  if (!is_new) return functions;
  const std::size_t n = data.rows();
  std::array<std::vector<double>, 3> columns;
  for (std::size_t k = 0; k < 2; ++k) {
    append_product(n, data.unit.data(), data.column(data.design.features[pair[k]].first),
                   columns[k]);
    const auto [place, first] = places_.try_emplace(pair[k], columns_.size());
    if (first) add(columns[k]);
    functions.columns[k] = place->second;
  }
  append_product(n, columns[0].data(), data.column(data.design.features[pair[1]].first),
                 columns[2]);
  functions.columns[2] = add(columns[2]);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      functions.inner[a + 3 * b] = blas::dot(n, columns[a].data(), columns[b].data());
    }
  }
  return functions;
}

}  // namespace fsieve::methods
