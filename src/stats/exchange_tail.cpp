#include "stats/exchange_tail.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "base/log_gamma.h"
#include "linalg/blas.h"
#include "stats/atoms.h"
#include "stats/normal.h"

namespace fsieve::inline stats {
namespace {

using blas::Op;

// The lower factor of a symmetric matrix (order × order, by rows); none where it is not positive.
std::optional<std::vector<double>> cholesky(std::vector<double> a, std::size_t order) {
  for (std::size_t k = 0; k < order; ++k) {
    for (std::size_t i = k; i < order; ++i) {
      a[i * order + k] -= dot(k, a.data() + i * order, a.data() + k * order);
    }
    const double pivot = a[k * order + k];
    if (!(pivot > 1e-280)) return std::nullopt;
    for (std::size_t i = k; i < order; ++i) a[i * order + k] /= std::sqrt(pivot);
  }
  return a;
}

void solve_lower(const std::vector<double>& l, std::size_t order, std::vector<double>& x) {
  for (std::size_t i = 0; i < order; ++i) {
    x[i] = (x[i] - dot(i, l.data() + i * order, x.data())) / l[i * order + i];
  }
}

void solve_upper(const std::vector<double>& l, std::size_t order, std::vector<double>& x) {
  for (std::size_t i = order; i-- > 0;) {
    for (std::size_t k = i + 1; k < order; ++k) x[i] -= l[k * order + i] * x[k];
    x[i] /= l[i * order + i];
  }
}

double log_determinant(const std::vector<double>& l, std::size_t order) {
  double log = 0;
  for (std::size_t i = 0; i < order; ++i) log += 2 * std::log(l[i * order + i]);
  return log;
}

// Up to so many conserved functions are summed up one by one.
constexpr std::size_t few_conserved = 3;

// K(θ, γ) of the header with its derivatives.
class Cumulant {
 public:
  Cumulant(const Atoms& weights, const LabelAtoms& label)
      : weights_(weights),
        labels_(label.atoms.size()),
        share_(label.share),
        conserved_(label.conserved),
        order_(1 + conserved_.size() / labels_),
        products_(weights.size() * labels_) {
    blas::gemm(Op::transpose, Op::none, labels_, weights.size(), weights.columns, 1.0,
               label.atoms.values.data(), weights.columns, weights.values.data(), weights.columns,
               0.0, products_.data(), labels_);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double* row = products_.data() + i * labels_;
      const double mean = dot(labels_, row, share_.data());
      for (std::size_t j = 0; j < labels_; ++j) row[j] -= mean;
    }
    scale();
  }

  struct Value {
    double k = 0;
    std::vector<double> gradient;
    std::vector<double> hessian;  // order × order
  };

  [[nodiscard]] std::size_t order() const { return order_; }
  // The most that a row can change the sum by, in deviations.
  [[nodiscard]] double largest_step() const { return largest_step_; }

  // The tilted chances of all labels for all rows are one matrix, and the means over them matrix
  // products.
  [[nodiscard]] Value at(const std::vector<double>& x) const {
    const std::size_t g = order_ - 1;
    const std::size_t rows = weights_.size();
    std::vector<double> base(labels_);
    for (std::size_t j = 0; j < labels_; ++j) {
      base[j] = std::log(share_[j]);
      for (std::size_t k = 0; k < g; ++k) base[j] += x[1 + k] * conserved_[k * labels_ + j];
    }
    Value value{0, std::vector<double>(order_), std::vector<double>(order_ * order_)};
    std::vector<double> chances(products_.size());
    std::vector<double> weighted(products_.size());  // times the products
    std::vector<double> visits(labels_);
    std::vector<double> means(rows);  // of the products
    for (std::size_t i = 0; i < rows; ++i) {
      const double count = weights_.counts[i];
      const double* a = products_.data() + i * labels_;
      double* p = chances.data() + i * labels_;
      double peak = -1e300;
      for (std::size_t j = 0; j < labels_; ++j) {
        p[j] = x[0] * a[j] + base[j];
        peak = std::max(peak, p[j]);
      }
      double sum = 0;
      for (std::size_t j = 0; j < labels_; ++j) sum += p[j] = std::exp(p[j] - peak);
      value.k += count * (std::log(sum) + peak);
      const double scale = 1 / sum;
      double* pa = weighted.data() + i * labels_;
      for (std::size_t j = 0; j < labels_; ++j) {
        p[j] *= scale;
        visits[j] += count * p[j];
        pa[j] = p[j] * a[j];
      }
      means[i] = std::accumulate(pa, pa + labels_, 0.0);
      value.gradient[0] += count * means[i];
      for (std::size_t j = 0; j < labels_; ++j) {
        value.hessian[0] += count * p[j] * (a[j] - means[i]) * (a[j] - means[i]);
      }
    }
    if (g > 0 && g <= few_conserved) add_few_conserved(chances, means, value);
    if (g > few_conserved) add_conserved(chances, weighted, visits, means, value);
    return value;
  }

 private:
  // Deviations from the mean are squared, not squares subtracted: where a label is all but certain
  // for every row, at the end of the range, nothing but rounding would be left of these.
  void add_few_conserved(const std::vector<double>& chances, const std::vector<double>& means,
                         Value& value) const {
    const std::size_t g = order_ - 1;
    std::vector<double> off(order_);
    std::vector<double> mean(g);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double count = weights_.counts[i];
      const double* p = chances.data() + i * labels_;
      for (std::size_t k = 0; k < g; ++k) {
        mean[k] = dot(labels_, p, conserved_.data() + k * labels_);
        value.gradient[1 + k] += count * mean[k];
      }
      for (std::size_t j = 0; j < labels_; ++j) {
        off[0] = products_[i * labels_ + j] - means[i];
        for (std::size_t k = 0; k < g; ++k) off[1 + k] = conserved_[k * labels_ + j] - mean[k];
        for (std::size_t k = 1; k < order_; ++k) {
          for (std::size_t m = 0; m <= k; ++m) {
            value.hessian[k * order_ + m] += count * p[j] * off[k] * off[m];
          }
        }
      }
    }
    for (std::size_t k = 1; k < order_; ++k) {
      for (std::size_t m = 0; m < k; ++m) {
        value.hessian[m * order_ + k] = value.hessian[k * order_ + m];
      }
    }
  }

  void add_conserved(const std::vector<double>& chances, const std::vector<double>& weighted,
                     const std::vector<double>& visits, const std::vector<double>& means,
                     Value& value) const {
    const std::size_t g = order_ - 1;
    const std::size_t rows = weights_.size();
    std::vector<double> mean(g * rows);  // of the conserved functions, row by row
    std::vector<double> both(g * rows);  // of them times the products
    const auto means_of = [&](const std::vector<double>& values, std::vector<double>& out) {
      blas::gemm(Op::transpose, Op::none, g, rows, labels_, 1.0, conserved_.data(), labels_,
                 values.data(), labels_, 0.0, out.data(), g);
    };
    means_of(chances, mean);
    means_of(weighted, both);
    for (std::size_t i = 0; i < rows; ++i) {
      const double count = weights_.counts[i];
      const double root = std::sqrt(count);
      for (std::size_t k = 0; k < g; ++k) {
        double& own = mean[i * g + k];
        value.gradient[1 + k] += count * own;
        value.hessian[1 + k] += count * (both[i * g + k] - means[i] * own);
        own *= root;
      }
    }
    std::vector<double> visited = conserved_;
    for (std::size_t k = 0; k < g; ++k) {
      for (std::size_t j = 0; j < labels_; ++j) visited[k * labels_ + j] *= std::sqrt(visits[j]);
    }
    std::vector<double> block(g * g);
    blas::syrk_lower(Op::transpose, g, labels_, 1.0, visited.data(), labels_, 0.0, block.data(), g);
    blas::syrk_lower(Op::none, g, rows, -1.0, mean.data(), g, 1.0, block.data(), g);
    for (std::size_t k = 0; k < g; ++k) {
      value.hessian[(1 + k) * order_] = value.hessian[1 + k];
      for (std::size_t m = 0; m <= k; ++m) {
        const double entry = block[k + m * g];
        value.hessian[(1 + k) * order_ + 1 + m] = value.hessian[(1 + m) * order_ + 1 + k] = entry;
      }
    }
  }

  // In units of the sum's deviation.
  void scale() {
    double variance = 0;
    double step = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double* row = products_.data() + i * labels_;
      for (std::size_t j = 0; j < labels_; ++j) {
        variance += weights_.counts[i] * share_[j] * row[j] * row[j];
      }
      const auto [low, high] = std::minmax_element(row, row + labels_);
      step = std::max(step, *high - *low);
    }
    const double deviation = std::sqrt(variance);
    for (double& product : products_) product /= deviation;
    largest_step_ = step / deviation;
  }

  const Atoms& weights_;
  std::size_t labels_;
  const std::vector<double>& share_;
  const std::vector<double>& conserved_;
  std::size_t order_;
  std::vector<double> products_;
  double largest_step_ = 0;
};

// Where K(x) − z·x₀ is least; it is convex. A minimum at infinity is approached.
struct Saddle {
  std::vector<double> x;
  Cumulant::Value value;
  std::vector<double> hessian_at_zero;
};

// A Newton step that changes the exponent by less is the last.
constexpr double enough = 1e-20;

Saddle find_saddle(const Cumulant& cumulant, double z) {
  const std::size_t order = cumulant.order();
  Saddle at{std::vector<double>(order), {}, {}};
  at.value = cumulant.at(at.x);
  at.hessian_at_zero = at.value.hessian;
  for (int step = 0; step < 80; ++step) {
    std::vector<double> down = at.value.gradient;
    for (double& d : down) d = -d;
    down[0] += z;
    const std::vector<double> missing = down;
    std::vector<double> curved = at.value.hessian;
    double trace = 0;
    for (std::size_t k = 0; k < order; ++k) trace += curved[k * order + k];
    for (std::size_t k = 0; k < order; ++k) curved[k * order + k] += 1e-9 * trace + 1e-12;
    const auto factor = cholesky(curved, order);
    if (!factor) break;
    solve_lower(*factor, order, down);
    solve_upper(*factor, order, down);
    // Not further than a few deviations at once.
    double longest = 0;
    for (std::size_t k = 0; k < order; ++k) {
      longest = std::max(longest, std::abs(down[k]) * std::sqrt(curved[k * order + k]));
    }
    const double most = std::max(4.0, z);
    double length = longest > most ? most / longest : 1;
    const double before = at.value.k - z * at.x[0];
    const double slope = dot(order, missing.data(), down.data());
    if (slope < enough) break;
    const double rounding = 1e-13 * (1 + std::abs(before));
    Saddle next = at;
    while (length > 1e-6) {
      for (std::size_t k = 0; k < order; ++k) next.x[k] = at.x[k] + length * down[k];
      next.value = cumulant.at(next.x);
      if (next.value.k - z * next.x[0] <= before - 1e-4 * length * slope + rounding) break;
      length /= 2;
    }
    if (next.value.k - z * next.x[0] > before + rounding) break;
    at = std::move(next);
  }
  return at;
}

// The block of the conserved functions.
std::vector<double> inner_block(const std::vector<double>& hessian, std::size_t order) {
  std::vector<double> block;
  for (std::size_t k = 1; k < order; ++k) {
    const auto row = hessian.begin() + static_cast<std::ptrdiff_t>(k * order);
    block.insert(block.end(), row + 1, row + static_cast<std::ptrdiff_t>(order));
  }
  return block;
}

// log of the chance that draws give exactly these counts.
double log_chance_of_counts(const Atoms& label) {
  const double rows = std::accumulate(label.counts.begin(), label.counts.end(), 0.0);
  double log = log_factorial(rows);
  for (const double count : label.counts) {
    log += count * std::log(count / rows) - log_factorial(count);
  }
  return log;
}

// log of what stands beside exp(K − θz) in the header's formula.
double log_factor(const Cumulant& cumulant, const Saddle& saddle) {
  const std::size_t order = cumulant.order();
  const std::size_t g = order - 1;
  const auto at_zero = cholesky(inner_block(saddle.hessian_at_zero, order), g);
  const auto tilted = cholesky(inner_block(saddle.value.hessian, order), g);
  if (!at_zero || !tilted) return 0;
  std::vector<double> across(saddle.value.hessian.begin() + 1,
                             saddle.value.hessian.begin() + static_cast<std::ptrdiff_t>(order));
  solve_lower(*tilted, g, across);
  const double variance =
      std::max(saddle.value.hessian[0] - dot(g, across.data(), across.data()), 0.0);
  const double theta = std::max(saddle.x[0], 0.0);
  const double lambda = theta * std::sqrt(variance);
  const double step = theta * cumulant.largest_step();
  const double lattice = step > 1e-8 ? std::log(step / -std::expm1(-step)) : 0;
  const double beyond = std::min(0.0, lambda * lambda / 2 + log_normal_tail(lambda) + lattice);
  return (log_determinant(*at_zero, g) - log_determinant(*tilted, g)) / 2 + beyond;
}

// Columns less their means over the rows.
std::vector<double> centred(std::size_t rows, std::vector<double> table,
                            const std::vector<double>& counts) {
  const double total = counts.empty() ? static_cast<double>(rows)
                                      : std::accumulate(counts.begin(), counts.end(), 0.0);
  for (std::size_t at = 0; at < table.size(); at += rows) {
    double* column = table.data() + at;
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += (counts.empty() ? 1 : counts[i]) * column[i];
    for (std::size_t i = 0; i < rows; ++i) column[i] -= sum / total;
  }
  return table;
}

// The sum in deviations: its variance is Σ_i w_i' Cov(label) w_i.
double deviations(std::size_t rows, std::size_t columns, const std::vector<double>& weights,
                  const std::vector<double>& label, const std::vector<double>& counts) {
  const auto rooted = [&](std::vector<double> table) {
    for (std::size_t k = 0; k < table.size() && !counts.empty(); ++k) {
      table[k] *= std::sqrt(counts[k % rows]);
    }
    return table;
  };
  const auto squares = [&](const std::vector<double>& table) {
    std::vector<double> inner(columns * columns);
    blas::gemm(Op::transpose, Op::none, columns, columns, rows, 1.0, table.data(), rows,
               table.data(), rows, 0.0, inner.data(), columns);
    return inner;
  };
  const std::vector<double> a = rooted(weights);
  const std::vector<double> b = rooted(label);
  const double total = counts.empty() ? static_cast<double>(rows)
                                      : std::accumulate(counts.begin(), counts.end(), 0.0);
  const double variance = dot(columns * columns, squares(a).data(), squares(b).data()) / total;
  return variance > 0 ? blas::dot(a.size(), a.data(), b.data()) / std::sqrt(variance) : 0;
}

}  // namespace

ExchangedLabel::ExchangedLabel(std::size_t rows, std::size_t columns,
                               const std::vector<double>& label, const std::vector<double>& counts)
    : rows_(rows),
      columns_(columns),
      label_(label),
      counts_(counts),
      atoms_(std::make_shared<const LabelAtoms>(
          representatives(different_rows(rows, columns, label, counts)))) {}

ExchangeTail ExchangedLabel::tail(const std::vector<double>& weights) const {
  const std::vector<double> function = centred(rows_, weights, counts_);
  ExchangeTail tail;
  tail.z = deviations(rows_, columns_, function, label_, counts_);
  if (!(tail.z > 0)) return tail;
  const LabelAtoms& label = *atoms_;
  const Atoms rows_of_function =
      representatives(different_rows(rows_, columns_, function, counts_));
  const Cumulant cumulant(rows_of_function, label);
  const Saddle saddle = find_saddle(cumulant, tail.z);
  double factor = log_factor(cumulant, saddle);
  // Draws that meet the conditions are at least so many: near the end of the range, where the
  // tilted sum has no variance left, this is the better bound.
  if (label.atoms.all) factor = std::min(factor, -log_chance_of_counts(label.atoms));
  const double exponent = std::max(0.0, saddle.x[0] * tail.z - saddle.value.k);
  tail.log_chance = std::min(0.0, std::numbers::ln2 - exponent + factor);
  return tail;
}

ExchangeTail exchange_tail(std::size_t rows, std::size_t columns,
                           const std::vector<double>& weights, const std::vector<double>& label,
                           const std::vector<double>& counts) {
  return ExchangedLabel(rows, columns, label, counts).tail(weights);
}

}  // namespace fsieve::stats
