#include "methods/union/subset_projection.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "linalg/blas.h"
#include "measure/span_score.h"
#include "methods/union/scorer.h"

namespace fsieve::inline methods {
namespace {

constexpr std::size_t most_gram_products = 512;
// What is left of a product, relative to its own squared norm: trivial at or below this on the rows
// themselves (pair_screen.h has the limits for Gram matrices).
constexpr double trivial = 1e-10;

}  // namespace

double SubsetProjection::by_rows(std::span<const std::size_t> features) const {
  const std::size_t n = data_->rows();
  std::vector<double> basis;
  std::vector<double> value(n);
  std::vector<double> inner;
  std::size_t rank = 0;
  for (const Parity& parity : parities_of(features)) {
    if (rank == n) break;
    stop_if_asked();
    evaluate(parity, 0, n, value.data());
    scale(0, n, value.data());
    const double norm = blas::dot(n, value.data(), value.data());
    inner.resize(rank);
    for (int pass = 0; pass < 2 && rank > 0; ++pass) {
      blas::gemv(blas::Op::transpose, n, rank, 1.0, basis.data(), n, value.data(), 0.0,
                 inner.data());
      blas::gemv(blas::Op::none, n, rank, -1.0, basis.data(), n, inner.data(), 1.0, value.data());
    }
    const double left = blas::dot(n, value.data(), value.data());
    if (left <= trivial * norm) continue;
    const double scale = 1 / std::sqrt(left);
    for (const double v : value) basis.push_back(v * scale);
    ++rank;
  }
  return span_score(data_->label, basis);
}

double SubsetProjection::by_gram(std::span<const std::size_t> features) const {
  const std::vector<Parity> parities = parities_of(features);
  const std::size_t p = parities.size();
  if (p > most_gram_products) return by_rows(features);
  const std::size_t n = data_->rows();
  const double share = 1 / data_->weight();
  OrthonormalProducts found;
  found.resize(p, label_->columns());
  std::vector<double> values(row_block * p);
  for (std::size_t row = 0; row < n; row += row_block) {
    const std::size_t rows = std::min(row_block, n - row);
    for (std::size_t k = 0; k < p; ++k) {
      evaluate(parities[k], row, rows, values.data() + k * rows);
      scale(row, rows, values.data() + k * rows);
    }
    blas::syrk_lower(blas::Op::transpose, p, rows, share, values.data(), rows, 1.0,
                     found.gram.data(), p);
    blas::gemm(blas::Op::transpose, blas::Op::none, p, label_->columns(), rows, share,
               values.data(), rows, label_->scaled_columns() + row, n, 1.0, found.products.data(),
               p);
  }
  if (!found.orthonormalise(p)) return by_rows(features);
  found.project(p);
  return label_->finished(sum_rows(parities, found));
}

double SubsetProjection::sum_rows(const std::vector<Parity>& parities,
                                  const OrthonormalProducts& found) const {
  const std::size_t n = data_->rows();
  const std::size_t p = parities.size();
  const std::size_t label_columns = label_->columns();
  std::vector<double> transform(p * p);  // upper triangular: function k in column k
  for (std::size_t k = 0; k < p; ++k) {
    std::copy_n(found.transform.data() + k * (k + 1) / 2, k + 1, transform.data() + k * p);
  }
  std::vector<double> values(row_block * p);
  std::vector<double> functions(row_block * p);
  std::vector<double> fitted(row_block * label_columns);
  double sum = 0;
  for (std::size_t row = 0; row < n; row += row_block) {
    const std::size_t rows = std::min(row_block, n - row);
    for (std::size_t k = 0; k < p; ++k) {
      evaluate(parities[k], row, rows, values.data() + k * rows);
    }
    blas::gemm(blas::Op::none, blas::Op::none, rows, p, p, 1.0, values.data(), rows,
               transform.data(), p, 0.0, functions.data(), rows);
    blas::gemm(blas::Op::none, blas::Op::none, rows, label_columns, p, 1.0, functions.data(), rows,
               found.f.data(), p, 0.0, fitted.data(), rows);
    for (std::size_t i = 0; i < rows; ++i) {
      double h = 0;
      for (std::size_t k = 0; k < p; ++k) {
        h += functions[k * rows + i] * functions[k * rows + i];
      }
      const Label& label = data_->label;
      const double own = h / data_->weight() * label.unit_of(row + i);
      sum += label.weight_of(row + i) * label_->row_part(row + i, own, fitted.data() + i, rows);
    }
  }
  return sum;
}

std::vector<Parity> SubsetProjection::parities_of(std::span<const std::size_t> features) const {
  std::vector<Parity> parities{Parity()};
  for (const std::size_t j : features) {
    const auto added =
        parities_with(data_->design.features[j], parities, static_cast<int>(features.size()));
    parities.insert(parities.end(), added.begin(), added.end());
  }
  return parities;
}

void SubsetProjection::evaluate(const Parity& parity, std::size_t row, std::size_t rows,
                                double* out) const {
  std::fill_n(out, rows, 1.0);
  for (const std::uint32_t c : parity.columns()) {
    const double* column = data_->column(c) + row;
    for (std::size_t i = 0; i < rows; ++i) out[i] *= column[i];
  }
}

// Scales a function by √w, where rows have weights.
void SubsetProjection::scale(std::size_t row, std::size_t rows, double* values) const {
  if (!data_->weighted()) return;
  for (std::size_t i = 0; i < rows; ++i) values[i] *= data_->unit[row + i];
}

}  // namespace fsieve::methods
