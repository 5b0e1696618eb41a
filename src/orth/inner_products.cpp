#include "orth/inner_products.h"

#include <utility>

#include "orth/parity_gram.h"
#include "stats/fold.h"

namespace fsieve {

std::vector<double> inner_products(const Source& source, const Design& design,
                                   const std::vector<Parity>& old_parities,
                                   const std::vector<Parity>& new_parities,
                                   const std::vector<std::size_t>& singles, Progress& progress) {
  ParityGram gram = fold(source, ParityGram(design, old_parities, new_parities, singles),
                         "inner products", progress);
  std::vector<double> products = std::move(gram.sums());
  for (double& product : products) product /= static_cast<double>(design.rows);
  return products;
}

}  // namespace fsieve
