#include "methods/junta/predictor.h"

#include <cmath>
#include <cstdlib>

namespace fsieve::inline methods {
namespace {

constexpr double trivial_norm = 1e-8;  // of a parity that the earlier ones explain

// The parities of a subset on its cells: values[S * cells + cell], by masks.
std::vector<double> parities_on_cells(const JuntaTable& table,
                                      std::span<const std::size_t> subset) {
  const std::size_t cells = std::size_t{1} << subset.size();
  std::vector<double> values(cells * cells, 1.0);
  for (std::size_t s = 0; s < cells; ++s) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (std::size_t k = 0; k < subset.size(); ++k) {
        if ((s >> k & 1U) == 0) continue;
        const ModelFeature& feature = table.features[subset[k]].described;
        const double x = (cell >> k & 1U) != 0 ? 1.0 : -1.0;
        values[s * cells + cell] *= (x - feature.mean) / feature.deviation;
      }
    }
  }
  return values;
}

// Gram-Schmidt on the rows at hand, in standard order (000 eq. 4): masks count up in that order.
// Trivial parities become 0. Cells without rows get what the polynomial says there.
void orthogonalise(std::vector<double>& parities, const std::vector<double>& share) {
  const std::size_t cells = share.size();
  const auto inner = [&](const double* a, const double* b) {
    double sum = 0;
    for (std::size_t c = 0; c < cells; ++c) sum += share[c] * a[c] * b[c];
    return sum;
  };
  for (std::size_t s = 0; s < cells; ++s) {
    double* own = parities.data() + s * cells;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t earlier = 0; earlier < s; ++earlier) {
        const double* other = parities.data() + earlier * cells;
        const double part = inner(other, own);
        for (std::size_t c = 0; c < cells; ++c) own[c] -= part * other[c];
      }
    }
    const double norm = std::sqrt(inner(own, own));
    for (std::size_t c = 0; c < cells; ++c) own[c] = norm > trivial_norm ? own[c] / norm : 0.0;
  }
}

}  // namespace

Predictor make_predictor(const JuntaTable& table, std::span<const std::size_t> subset,
                         Learner learner, Basis basis) {
  const auto n = static_cast<double>(table.rows);
  const std::size_t cells = std::size_t{1} << subset.size();
  Predictor predictor;
  predictor.cells = count_cells(table, subset);
  std::vector<double> share(cells);
  std::vector<double> lead(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const std::int64_t first = predictor.cells[c];
    const std::int64_t second = predictor.cells[cells + c];
    share[c] = table.weights.size(first, second) / n;
    lead[c] = table.weights.lead(first, second);
    if (std::abs(lead[c]) < zero_value * n) lead[c] = 0;  // weights are rounded
  }
  std::vector<double> parities = parities_on_cells(table, subset);
  if (basis == Basis::correlated) orthogonalise(parities, share);

  predictor.values.assign(cells, 0.0);
  for (std::size_t s = 0; s < cells; ++s) {
    const double* parity = parities.data() + s * cells;
    double coefficient = 0;  // 004 eq. (7)
    bool trivial = true;
    for (std::size_t c = 0; c < cells; ++c) {
      coefficient += lead[c] * parity[c] / n;
      trivial = trivial && parity[c] == 0;
    }
    if (trivial) continue;
    if (!table.weights.even() && std::abs(coefficient) < zero_value) coefficient = 0;
    predictor.coefficients.push_back({s, coefficient});
    for (std::size_t c = 0; c < cells; ++c) predictor.values[c] += coefficient * parity[c];
  }
  for (std::size_t c = 0; c < cells; ++c) {
    double& value = predictor.values[c];
    if (learner == Learner::erm) value = share[c] > 0 ? lead[c] / (share[c] * n) : 0.0;
    // Where as many rows are of one class as of the other the sum is zero but for rounding; in an
    // empty cell too, unless the correlated basis carries its polynomial there.
    const bool even = lead[c] == 0 && (share[c] > 0 || basis == Basis::product);
    if (even || std::abs(value) < zero_value) value = 0;
  }
  return predictor;
}

double dependence(const JuntaTable& table, std::span<const std::size_t> subset,
                  const std::vector<std::int64_t>& cells) {
  const auto n = static_cast<double>(table.rows);
  const std::size_t count = cells.size() / 2;
  double distance = 0;
  for (std::size_t c = 0; c < count; ++c) {
    double product = 1;
    for (std::size_t k = 0; k < subset.size(); ++k) {
      const double high = static_cast<double>(table.features[subset[k]].high) / n;
      product *= (c >> k & 1U) != 0 ? high : 1 - high;
    }
    distance += std::abs(static_cast<double>(cells[c] + cells[count + c]) / n - product) / 2;
  }
  return distance;
}

}  // namespace fsieve::methods
