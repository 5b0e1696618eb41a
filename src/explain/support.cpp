#include "explain/support.h"

#include <algorithm>
#include <cmath>

#include "blas/blas.h"

namespace fsieve {

double equation_tolerance(double unexplained) { return std::clamp(0.1 * unexplained, 1e-10, 1e-3); }

double rounding(double share) { return 1e-9 * share + 1e-13; }

SupportFinder::SupportFinder(const std::vector<Parity>& parities, const double* lower,
                             std::size_t stride, double rows, bool constant)
    : parities_(parities), lower_(lower), stride_(stride), rows_(rows), constant_(constant) {}

const std::vector<double>& SupportFinder::products_with(std::size_t k) {
  auto [entry, fresh] = products_.try_emplace(k);
  std::vector<double>& products = entry->second;
  if (fresh) {
    const std::size_t count = parities_.size();
    std::vector<double> row(k + 1);
    for (std::size_t c = 0; c <= k; ++c) row[c] = lower_[k + c * stride_];
    products.assign(count, 0);
    // Only the first k + 1 coordinates of parity k are not zero.
    blas::gemv(blas::Op::none, count, k + 1, 1.0, lower_, stride_, row.data(), 0.0,
               products.data());
  }
  return products;
}

std::vector<Parity> SupportFinder::find(std::span<const double> coordinates, double residual2,
                                        const std::function<bool(const Parity&)>& allowed,
                                        std::size_t most_terms) {
  const std::size_t rank = coordinates.size();
  const auto free = [&](std::size_t terms) {
    return rows_ / std::max(1.0, rows_ - static_cast<double>(terms));
  };
  const double full = residual2 * free(rank);
  const double enough = full + equation_tolerance(full);

  // g[k]: inner product of what is left of the column with parity k. The constant is always in.
  const std::size_t first = constant_ ? 1 : 0;
  std::vector<double> left(coordinates.begin(), coordinates.end());
  if (constant_) left[0] = 0;
  std::vector<double> g(rank, 0);
  for (std::size_t c = 0; c < rank; ++c) {
    if (left[c] != 0) blas::axpy(rank - c, left[c], lower_ + c + c * stride_, g.data() + c);
  }
  std::vector<double> size(rank);  // squared norms, less what the chosen ones hold of them
  std::vector<bool> eligible(rank);
  for (std::size_t k = 0; k < rank; ++k) {
    eligible[k] = k >= first && allowed(parities_[k]);
    if (!eligible[k]) continue;
    for (std::size_t c = first; c <= k; ++c) size[k] += std::pow(lower_[k + c * stride_], 2);
  }

  std::vector<std::size_t> chosen;
  std::vector<std::vector<double>>
      directions;  // chosen parities made orthonormal, times each parity
  double unexplained = residual2 + blas::dot(rank, left.data(), left.data());
  while (unexplained * free(chosen.size() + 1) > enough && chosen.size() + first < rank &&
         chosen.size() < most_terms) {
    std::size_t best = rank;
    double gain = 0;
    for (std::size_t k = first; k < rank; ++k) {
      if (!eligible[k] || size[k] < 1e-10) continue;
      const double caught = g[k] * g[k] / size[k];
      if (caught > gain + rounding(gain)) {
        gain = caught;
        best = k;
      }
    }
    if (best == rank || gain < 1e-15) break;
    // Gram-Schmidt on inner products alone: the new direction is the best parity less the constant
    // and the directions before it.
    const std::vector<double>& with_best = products_with(best);
    std::vector<double> direction(rank);
    const double constant = constant_ ? lower_[best] : 0;
    for (std::size_t k = 0; k < rank; ++k) direction[k] = with_best[k] - constant * lower_[k];
    for (const auto& earlier : directions) {
      blas::axpy(rank, -earlier[best], earlier.data(), direction.data());
    }
    const double norm = std::sqrt(size[best]);
    for (double& value : direction) value /= norm;
    const double amount = g[best] / norm;
    blas::axpy(rank, -amount, direction.data(), g.data());
    for (std::size_t k = 0; k < rank; ++k) size[k] -= direction[k] * direction[k];
    unexplained -= amount * amount;
    eligible[best] = false;
    chosen.push_back(best);
    directions.push_back(std::move(direction));
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<Parity> support;
  support.reserve(chosen.size());
  for (const std::size_t k : chosen) support.push_back(parities_[k]);
  return support;
}

}  // namespace fsieve
