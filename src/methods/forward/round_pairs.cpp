// What pairs of features of one column would be worth to a round. There are some hundred of a few
// dozen features: what is a feature's alone is computed once.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/blas.h"
#include "linalg/column_dots.h"
#include "linalg/narrow.h"
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

// Columns that are asked for, each once.
class Gathered {
 public:
  explicit Gathered(const PairMemory& memory)
      : memory_(memory), place_(memory.columns(), SIZE_MAX) {}

  std::size_t place(std::size_t column) {
    if (place_[column] == SIZE_MAX) {
      place_[column] = columns_.size();
      columns_.push_back(memory_.column(column));
    }
    return place_[column];
  }
  [[nodiscard]] const std::vector<const float*>& columns() const { return columns_; }

 private:
  const PairMemory& memory_;
  std::vector<std::size_t> place_;
  std::vector<const float*> columns_;
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

// The inner products of columns with the span, and then with the residual: arrays over the columns.
std::vector<float> Round::beside(std::vector<const float*> columns) const {
  const std::size_t n = data_->rows();
  std::vector<float> inner((rank() + label_columns_) * columns.size());
  blas::FewFunctions functions;
  for (std::size_t row = 0; row < n; row += blas::rows_at_once_in_dots) {
    stop_if_asked();
    const std::size_t rows = std::min(blas::rows_at_once_in_dots, n - row);
    functions.resize(rows, rank() + label_columns_);
    for (std::size_t f = 0; f < functions.count(); ++f) {
      const double* const from =
          f < rank() ? span_.functions(f) : residual_.data() + (f - rank()) * n;
      blas::narrow(rows, from + row, functions[f]);
    }
    blas::add_column_dots(functions, columns.data(), columns.size(), inner.data(), columns.size());
    for (const float*& column : columns) column += rows;
  }
  return inner;
}

std::vector<EstimatedStep> Round::estimate_pairs(const std::vector<std::vector<std::size_t>>& pairs,
                                                 PairMemory& memory) const {
  std::vector<PairMemory::Functions> functions;
  functions.reserve(pairs.size());
  for (const auto& pair : pairs) functions.push_back(memory.functions(*data_, pair));
  Gathered gathered(memory);
  for (PairMemory::Functions& own : functions) {
    for (std::size_t& column : own.columns) column = gathered.place(column);
  }
  const std::size_t stride = gathered.columns().size();
  const std::vector<float> inner = beside(gathered.columns());
  const float* const on_label = inner.data() + rank() * stride;

  const EstimateTerms terms = estimate_terms(trivial_product);
  std::vector<EstimatedStep> steps;
  std::vector<double> labels(3 * label_columns_);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto& [columns, products] = functions[k];
    std::array<double, 9> gram = products;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        for (std::size_t j = 0; j < rank(); ++j) {
          const double with_a = inner[j * stride + columns[a]];
          gram[a + 3 * b] -= with_a * inner[j * stride + columns[b]];
        }
      }
      for (std::size_t y = 0; y < label_columns_; ++y) {
        labels[a * label_columns_ + y] = on_label[y * stride + columns[a]];
      }
    }
    const double squares[] = {products[0], products[4], products[8]};
    const EstimatedGain estimate =
        estimated_gain(estimated_catch(3, gram.data(), label_columns_, labels.data(), squares,
                                       terms.least, terms.rounding),
                       terms);
    if (std::isinf(estimate.most) && estimate.most < 0) continue;
    steps.push_back({k, estimate.gain, estimate.most, std::isinf(estimate.most)});
  }
  return steps;
}

}  // namespace fsieve::methods
