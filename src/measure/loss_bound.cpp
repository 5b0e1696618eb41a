#include "measure/loss_bound.h"

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"

namespace fsieve::inline measure {
namespace {

// Beyond this many features the bound is far above 1 whatever the parities are.
constexpr std::size_t most_features = 8;

// The largest squared value that an orthogonalised parity of the features takes on the data.
double largest_square(const SupervisedData& data, const std::vector<std::size_t>& chosen) {
  const std::size_t n = data.rows();
  std::vector<std::vector<double>> parities{data.unit};
  for (const std::size_t feature : chosen) {
    const double* column = data.column(data.design.features[feature].first);
    const std::size_t earlier = parities.size();
    for (std::size_t p = 0; p < earlier; ++p) {
      std::vector<double> product = parities[p];
      for (std::size_t i = 0; i < n; ++i) product[i] *= column[i];
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
      largest = std::max(largest, parity[i] * parity[i] / data.label.weight_of(i));
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
