#include "measure/kernel_ridge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/blas.h"
#include "source/weights.h"
#include "span/gram_factor.h"

namespace fsieve::inline measure {
namespace {

using blas::Op;

// Values further out than this many deviations count as this far out: one outlier must not carry
// the model.
constexpr double farthest = 3;
// Kernels that are sums of those before them, but for this share, are left out.
constexpr double trivial = 1e-6;
// Strengths of the ridge per row, of which generalised cross-validation takes the best.
constexpr std::array<double, 5> strengths{1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

// Ridge regression on orthonormal-kernel functions: what a strength gives.
struct RidgeFit {
  double criterion = std::numeric_limits<double>::infinity();
  std::vector<double> coefficients;  // one label column after another
};

// gram: of the functions, lower triangle; on_label: their inner products with the label columns,
// one function after another; total: squared norm of the label.
RidgeFit fit_ridge(std::size_t count, std::vector<double> gram, std::size_t labels,
                   const std::vector<double>& on_label, double total, double rows,
                   double strength) {
  const double ridge = strength * rows;
  for (std::size_t k = 0; k < count; ++k) gram[k * count + k] += ridge;
  std::vector<double> unused(count);
  if (factor_gram(count, gram.data(), count, 0, 0, unused.data()).size() < count) return {};

  RidgeFit fit;
  fit.coefficients.resize(on_label.size());
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t y = 0; y < labels; ++y) {
      fit.coefficients[y * count + k] = on_label[k * labels + y];
    }
  }
  blas::solve_lower(count, labels, gram.data(), count, fit.coefficients.data(), count);
  blas::solve_lower_transposed(count, labels, gram.data(), count, fit.coefficients.data(), count);

  double left = total;
  for (std::size_t y = 0; y < labels; ++y) {
    for (std::size_t k = 0; k < count; ++k) {
      const double c = fit.coefficients[y * count + k];
      left -= c * (on_label[k * labels + y] + ridge * c);
    }
  }
  std::vector<double> inverse(count * count, 0.0);
  for (std::size_t k = 0; k < count; ++k) inverse[k * count + k] = 1;
  blas::solve_lower(count, count, gram.data(), count, inverse.data(), count);
  const double trace = blas::dot(inverse.size(), inverse.data(), inverse.data());
  const double freedom = rows - 1 - (static_cast<double>(count) - ridge * trace);
  if (freedom > 0) fit.criterion = std::max(left, 0.0) / (freedom * freedom);
  return fit;
}

void clip(std::vector<double>& values) {
  for (double& value : values) value = std::clamp(value, -farthest, farthest);
}

}  // namespace

KernelRidge::KernelRidge(const Label& label, std::vector<std::size_t> centres, std::size_t asked)
    : label_(label), centres_(std::move(centres)), target_(label.scaled_columns()) {
  for (std::size_t y = 0; y < label.columns(); ++y) {
    double sum = 0;
    for (std::size_t i = 0; i < label.rows; ++i) {
      const double own = label.columns() == 1 ? label.numbers[i] : label.codes[i] == y ? 1.0 : 0.0;
      sum += label.weight_of(i) * own;
    }
    means_.push_back(sum / label.weight);
  }
  for (auto [side, rows] : {std::pair{&known_, label.rows}, std::pair{&asked_, asked}}) {
    side->rows = rows;
    side->inner.assign(rows * centres_.size(), 0.0);
    side->squares.assign(rows, 0.0);
  }
}

void KernelRidge::add(std::vector<double> known, std::vector<double> asked) {
  clip(known);
  clip(asked);
  const std::size_t count = known.size() / label_.rows;
  const std::size_t m = centres_.size();
  std::vector<double> at_centres(count * m);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < m; ++k)
      at_centres[c * m + k] = known[c * label_.rows + centres_[k]];
  }
  grow(known_, known, at_centres);
  grow(asked_, asked, at_centres);
  columns_ += count;
}

void KernelRidge::grow(Side& side, const std::vector<double>& columns,
                       const std::vector<double>& at_centres) {
  const std::size_t m = centres_.size();
  const std::size_t count = at_centres.size() / m;
  blas::gemm(Op::none, Op::transpose, side.rows, m, count, 1.0, columns.data(), side.rows,
             at_centres.data(), m, 1.0, side.inner.data(), side.rows);
  for (std::size_t c = 0; c < count; ++c) {
    const double* column = columns.data() + c * side.rows;
    for (std::size_t i = 0; i < side.rows; ++i) side.squares[i] += column[i] * column[i];
  }
}

// exp(−|x − c|²/p) + ⟨x, c⟩/p for p columns.
std::vector<double> KernelRidge::kernels(const Side& side) const {
  const double scale = 1 / static_cast<double>(columns_);
  std::vector<double> values(side.inner.size());
  for (std::size_t k = 0; k < centres_.size(); ++k) {
    const double square = known_.squares[centres_[k]];
    const double* inner = side.inner.data() + k * side.rows;
    double* to = values.data() + k * side.rows;
    for (std::size_t i = 0; i < side.rows; ++i) {
      const double distance = std::max(0.0, side.squares[i] + square - 2 * inner[i]);
      to[i] = std::exp(-distance * scale) + inner[i] * scale;
    }
  }
  return values;
}

std::vector<double> KernelRidge::predict() const {
  const std::size_t n = known_.rows;
  const std::size_t m = centres_.size();
  const std::size_t labels = means_.size();
  std::vector<double> predicted(asked_.rows * labels);
  for (std::size_t y = 0; y < labels; ++y) {
    std::fill_n(predicted.data() + y * asked_.rows, asked_.rows, means_[y]);
  }
  if (columns_ == 0) return predicted;
  std::vector<double> known = kernels(known_);
  std::vector<double> asked = kernels(asked_);

  // Functions of unit length in the kernels' own geometry, as many as are independent.
  std::vector<double> gram(m * m);
  double largest = 0;
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t i = 0; i < m; ++i) gram[k * m + i] = known[k * n + centres_[i]];
    largest = std::max(largest, gram[k * m + k]);
  }
  std::vector<double> unused(m);
  const auto kept = factor_gram(m, gram.data(), m, trivial * largest, 0, unused.data());
  const std::size_t count = kept.size();
  std::vector<double> factor(count * count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = k; i < count; ++i) factor[k * count + i] = gram[kept[k] * m + kept[i]];
  }
  const auto functions = [&](std::vector<double>& values, std::size_t rows) {
    for (std::size_t k = 0; k < count; ++k) {
      std::copy_n(values.data() + kept[k] * rows, rows, values.data() + k * rows);
    }
    values.resize(count * rows);
    blas::solve_right_transposed(rows, count, factor.data(), count, values.data(), rows);
  };
  functions(known, n);
  functions(asked, asked_.rows);

  const RootWeights roots(label_.weights);
  for (std::size_t k = 0; k < count; ++k) {
    double* column = known.data() + k * n;
    const double mean = label_.mean({column, n});
    for (std::size_t i = 0; i < n; ++i) column[i] -= mean;
    for (std::size_t i = 0; i < asked_.rows; ++i) asked[k * asked_.rows + i] -= mean;
    roots.scale(column);
  }
  std::vector<double> inner(count * count);
  blas::syrk_lower(Op::transpose, count, n, 1.0, known.data(), n, 0.0, inner.data(), count);
  std::vector<double> on_label(labels * count);
  blas::gemm(Op::transpose, Op::none, labels, count, n, 1.0, target_.data(), n, known.data(), n,
             0.0, on_label.data(), labels);
  const double total = blas::dot(target_.size(), target_.data(), target_.data());
  RidgeFit best;
  for (const double strength : strengths) {
    RidgeFit fit = fit_ridge(count, inner, labels, on_label, total, label_.weight, strength);
    if (fit.criterion < best.criterion || best.coefficients.empty()) best = std::move(fit);
  }
  if (best.coefficients.empty()) return predicted;
  blas::gemm(Op::none, Op::none, asked_.rows, labels, count, 1.0, asked.data(), asked_.rows,
             best.coefficients.data(), count, 1.0, predicted.data(), asked_.rows);
  return predicted;
}

}  // namespace fsieve::measure
