// What pairs of features of one column would be worth to a round. There are some hundred of a few
// dozen features: what is a feature's alone is computed once.
#include <algorithm>

#include "base/parallel.h"
#include "linalg/blas.h"
#include "methods/forward/append_product.h"
#include "methods/forward/round.h"

namespace fsieve::inline methods {
namespace {

// Pairs whose products are multiplied with the span at a time, so that they stay in cache.
constexpr std::size_t pairs_at_once = 48;

// A function on the rows, with its inner products with the span.
struct BesideSpan {
  const double* function;
  const double* in_span;
};

}  // namespace

bool Round::are_pairs_of_columns(const std::vector<std::vector<std::size_t>>& subsets) const {
  const auto one_column = [&](std::size_t feature) {
    return data_->plain_end(feature) - data_->design.features[feature].first == 1;
  };
  return std::all_of(subsets.begin(), subsets.end(), [&](const auto& subset) {
    return subset.size() == 2 && one_column(subset[0]) && one_column(subset[1]);
  });
}

std::vector<Catch> Round::of_pairs(const std::vector<std::vector<std::size_t>>& pairs) const {
  const std::size_t n = data_->rows();
  std::vector<std::size_t> place(data_->design.features.size(), SIZE_MAX);
  Functions alone;
  std::size_t features = 0;
  for (const auto& pair : pairs) {
    for (const std::size_t feature : pair) {
      if (place[feature] != SIZE_MAX) continue;
      place[feature] = features++;
      append_product(n, data_->unit.data(), data_->column(data_->design.features[feature].first),
                     alone);
    }
  }
  const std::vector<double> alone_in_span = span_.inner_products(alone.data(), features);
  const std::vector<double> alone_on_label = on_residual(alone.data(), features);

  std::vector<Catch> catches(pairs.size());
  in_parallel((pairs.size() + pairs_at_once - 1) / pairs_at_once, [&](std::size_t b) {
    const std::size_t first = b * pairs_at_once;
    const std::size_t count = std::min(pairs_at_once, pairs.size() - first);
    Functions products;
    products.reserve(count * n);
    for (std::size_t k = 0; k < count; ++k) {
      const auto& pair = pairs[first + k];
      append_product(n, alone.data() + place[pair[0]] * n,
                     data_->column(data_->design.features[pair[1]].first), products);
    }
    const std::vector<double> in_span = span_.inner_products(products.data(), count);
    const std::vector<double> on_label = on_residual(products.data(), count);
    std::vector<double> own(3 * label_columns_);
    for (std::size_t k = 0; k < count; ++k) {
      BesideSpan functions[3];
      for (std::size_t f = 0; f < 2; ++f) {
        const std::size_t at = place[pairs[first + k][f]];
        functions[f] = {alone.data() + at * n, alone_in_span.data() + at * rank()};
        std::copy_n(alone_on_label.data() + at * label_columns_, label_columns_,
                    own.data() + f * label_columns_);
      }
      functions[2] = {products.data() + k * n, in_span.data() + k * rank()};
      std::copy_n(on_label.data() + k * label_columns_, label_columns_,
                  own.data() + 2 * label_columns_);
      double gram[9] = {};
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t c = 0; c <= a; ++c) {
          gram[a + 3 * c] = blas::dot(n, functions[a].function, functions[c].function) -
                            blas::dot(rank(), functions[a].in_span, functions[c].in_span);
        }
      }
      catches[first + k] = judge(
          explained_by(3, gram, 3, trivial_product * data_->weight(), label_columns_, own.data()));
    }
  });
  return catches;
}

}  // namespace fsieve::methods
