#include "measure/loss_bound.h"

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"

namespace fsieve::inline measure {
namespace {

// Beyond this many features the bound is far above 1 whatever the parities are.
constexpr std::size_t most_features = 8;

// Rows on which all chosen features have the same values are alike: there are few kinds of them,
// however many rows.
struct Kinds {
  std::vector<std::size_t> rows;  // one of each
  std::vector<double> weights;    // of all rows of each
};

Kinds kinds_of_rows(const SupervisedData& data, const std::vector<std::size_t>& chosen) {
  std::vector<std::size_t> kind_of(data.rows());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const double* column = data.column(data.design.features[chosen[k]].first);
    for (std::size_t i = 0; i < kind_of.size(); ++i) {
      kind_of[i] |= std::size_t{column[i] > 0} << k;  // of two standardised values one is
    }
  }
  std::vector<double> weights(std::size_t{1} << chosen.size());
  std::vector<std::size_t> row_of(weights.size());
  for (std::size_t i = 0; i < kind_of.size(); ++i) {
    weights[kind_of[i]] += data.label.weight_of(i);
    row_of[kind_of[i]] = i;
  }
  Kinds kinds;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    kinds.rows.push_back(row_of[k]);
    kinds.weights.push_back(weights[k]);
  }
  return kinds;
}

// The largest squared value that an orthogonalised parity of the features takes on the data. All
// functions here are times the root of what their rows weigh.
double largest_square(const SupervisedData& data, const std::vector<std::size_t>& chosen) {
  const Kinds kinds = kinds_of_rows(data, chosen);
  const std::size_t n = kinds.rows.size();
  std::vector<std::vector<double>> parities{kinds.weights};
  for (double& value : parities[0]) value = std::sqrt(value);
  for (const std::size_t feature : chosen) {
    const double* column = data.column(data.design.features[feature].first);
    const std::size_t earlier = parities.size();
    for (std::size_t p = 0; p < earlier; ++p) {
      std::vector<double> product = parities[p];
      for (std::size_t i = 0; i < n; ++i) product[i] *= column[kinds.rows[i]];
      parities.push_back(std::move(product));
    }
  }
  double largest = 1;
  std::vector<std::vector<double>> kept;
  for (std::vector<double>& parity : parities) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& function : kept) {
        const double inner = blas::dot(n, function.data(), parity.data()) / data.weight();
        blas::axpy(n, -inner, function.data(), parity.data());
      }
    }
    const double norm = std::sqrt(blas::dot(n, parity.data(), parity.data()) / data.weight());
    if (norm < 1e-6) continue;
    for (std::size_t i = 0; i < n; ++i) {
      parity[i] /= norm;
      largest = std::max(largest, parity[i] * parity[i] / kinds.weights[i]);
    }
    kept.push_back(std::move(parity));
  }
  return largest;
}

}  // namespace

LossBound loss_bound(const SupervisedData& data, const std::vector<std::size_t>& chosen,
                     std::size_t candidates, double delta) {
  const auto k = static_cast<double>(chosen.size());
  const double c = chosen.size() <= most_features ? largest_square(data, chosen) : 1;
  const double lambda = 8 * k * std::exp2(2 * k) * c * c;
  const auto d = static_cast<double>(candidates);
  const double n = data.weight();
  const double excess = std::sqrt(lambda * std::log(d / delta) / (n - 1));
  return {delta, excess, excess >= 1};
}

}  // namespace fsieve::measure
