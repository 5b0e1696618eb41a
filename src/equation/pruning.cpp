#include "equation/pruning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/stop.h"
#include "equation/fit.h"
#include "linalg/blas.h"
#include "span/deflation.h"
#include "span/support.h"

namespace fsieve::inline equation {
namespace {

using blas::Op;

// Columns factorised, or solved for, at a time.
constexpr std::size_t panel_columns = 32;
// A coefficient whose square is at most this share of its variance at the beginning is rounding.
constexpr double rounding2 = 1e-20;
// A product of which at most this share of its squared norm is left is a combination of others.
constexpr double combination = 1e-10;

// The products that are not combinations of earlier ones, and the Cholesky factor L of their Gram
// matrix.
struct Factor {
  std::vector<std::size_t> independent;
  std::vector<double> lower;   // L
  std::vector<double> target;  // L^-1 times their inner products with the target
};

// Cholesky with a skip. The target is the last row of `gram`, of which means, not sums, are given.
Factor factorise(std::vector<double> gram, std::size_t count) {
  const std::size_t stride = count + 1;
  Factor factor;
  std::vector<double> lower;  // all rows, over the independent products
  std::vector<double> sizes(count);
  for (std::size_t i = 0; i < count; ++i) sizes[i] = gram[i + i * stride];
  for (std::size_t begin = 0; begin < count; begin += panel_columns) {
    stop_if_asked();
    const std::size_t end = std::min(count, begin + panel_columns);
    const std::size_t before = factor.independent.size();
    blas::gemm(Op::none, Op::transpose, stride - begin, end - begin, before, -1.0,
               lower.data() + begin, stride, lower.data() + begin, stride, 1.0,
               gram.data() + begin + begin * stride, stride);
    for (std::size_t i = begin; i < end; ++i) {
      double* column = gram.data() + i * stride;
      for (std::size_t k = before; k < factor.independent.size(); ++k) {
        const double* earlier = lower.data() + k * stride;
        blas::axpy(stride - i, -earlier[i], earlier + i, column + i);
      }
      if (column[i] <= combination * sizes[i]) continue;
      const double scale = 1 / std::sqrt(column[i]);
      factor.independent.push_back(i);
      lower.resize(lower.size() + i, 0.0);
      for (std::size_t row = i; row < stride; ++row) lower.push_back(column[row] * scale);
    }
  }
  const std::size_t rank = factor.independent.size();
  factor.lower.resize(rank * rank);
  factor.target.resize(rank);
  for (std::size_t k = 0; k < rank; ++k) {
    const double* column = lower.data() + k * stride;
    for (std::size_t i = k; i < rank; ++i) {
      factor.lower[i + k * rank] = column[factor.independent[i]];
    }
    factor.target[k] = column[count];
  }
  return factor;
}

// A standardised product is the sum over its parts T of x^T times 1/deviation for every factor and
// −mean for every factor outside T. Row i: what independent product i is in original units.
std::vector<double> in_original_units(const Design& design, const std::vector<Monomial>& products,
                                      const std::vector<std::size_t>& independent) {
  std::map<Monomial, std::size_t> place;
  for (std::size_t i = 0; i < products.size(); ++i) place[products[i]] = i;
  const std::size_t rank = independent.size();
  std::vector<double> expansion(rank * products.size());
  for (std::size_t i = 0; i < rank; ++i) {
    const Monomial& product = products[independent[i]];
    for (std::uint32_t mask = 0; mask < (1U << product.size()); ++mask) {
      Monomial part;
      double factor = 1;
      for (std::size_t f = 0; f < product.size(); ++f) {
        const DesignColumn& column = design.columns[product[f]];
        if ((mask >> f) & 1U) {
          part.push_back(product[f]);
          factor /= column.deviation;
        } else {
          factor *= -column.mean / column.deviation;
        }
      }
      expansion[i + place.at(part) * rank] += factor;  // parts of a power come more than once
    }
  }
  return expansion;
}

// The coefficients of one task's products in original units, the target divided by its deviation,
// and their pruning.
class Pruning {
 public:
  Pruning(const Design& design, const FitTask& task, std::vector<double> gram)
      : design_(design), task_(task), rows_(design.weight) {
    for (double& sum : gram) sum /= rows_;
    solve(std::move(gram));
  }

  Fit run();

 private:
  // Drops terms that matter least, the others refitted, while more than `most` are left and the
  // share of variance left stays within `enough`.
  void drop_terms(std::vector<std::size_t>& terms, std::size_t most, double enough);

  void solve(std::vector<double> gram);

  // Share of variance left, degrees of freedom taken into account.
  [[nodiscard]] double adjusted(double left, std::size_t terms) const {
    return left * rows_ / std::max(1.0, rows_ - static_cast<double>(terms));
  }

  // What dropping a term costs: its coefficient's square over its variance. Without variance it is
  // tied to coefficients that were dropped, and 0 as they are but for rounding; the constant, which
  // holds the target's mean, may be tied to another value, and stays.
  [[nodiscard]] double cost(std::size_t term) const {
    if (coefficients_->size(term) > 0) return coefficients_->caught(term);
    const double square = coefficients_->amount(term) * coefficients_->amount(term);
    return square <= rounding2 * variances_[term] ? 0 : std::numeric_limits<double>::infinity();
  }

  void drop(std::size_t term);

  const Design& design_;
  const FitTask& task_;
  double rows_;
  double unexplained_ = 0;
  std::size_t rank_ = 0;
  // Columns whose inner products say how the coefficients move together: their covariance but for
  // a factor.
  std::vector<double> moves_;
  std::vector<double> variances_;  // of the coefficients, before any was dropped
  // Setting a coefficient to zero and refitting the others takes its column out of theirs.
  std::optional<Deflation> coefficients_;
};

void Pruning::solve(std::vector<double> gram) {
  const std::size_t count = task_.products.size();
  const double target2 = gram.back();
  const Factor factor = factorise(std::move(gram), count);
  rank_ = factor.independent.size();
  const double* on_target = factor.target.data();
  unexplained_ = std::max(target2 - blas::dot(rank_, on_target, on_target), 0.0);

  moves_ = in_original_units(design_, task_.products, factor.independent);
  std::vector<double> solution = factor.target;
  blas::solve_lower_transposed(rank_, 1, factor.lower.data(), rank_, solution.data(), rank_);
  std::vector<double> coefficients(count);
  blas::gemv(Op::transpose, rank_, count, 1.0, moves_.data(), rank_, solution.data(), 0.0,
             coefficients.data());
  const DesignColumn& target = design_.columns[task_.target];
  coefficients[0] += target.mean / target.deviation;

  // Parts come before the products that have them: above the panel's own rows all is zero.
  for (std::size_t begin = 0; begin < count; begin += panel_columns) {
    stop_if_asked();
    const auto own = std::lower_bound(factor.independent.begin(), factor.independent.end(), begin);
    const auto row = static_cast<std::size_t>(own - factor.independent.begin());
    blas::solve_lower(rank_ - row, std::min(panel_columns, count - begin),
                      factor.lower.data() + row * (rank_ + 1), rank_,
                      moves_.data() + row + begin * rank_, rank_);
  }
  variances_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* move = moves_.data() + i * rank_;
    variances_[i] = blas::dot(rank_, move, move);
  }
  coefficients_.emplace(std::move(coefficients), variances_);
}

void Pruning::drop(std::size_t term) {
  std::vector<double> covariances(task_.products.size());
  blas::gemv(Op::transpose, rank_, covariances.size(), 1.0, moves_.data(), rank_,
             moves_.data() + term * rank_, 0.0, covariances.data());
  coefficients_->take_out(term, covariances.data());
}

void Pruning::drop_terms(std::vector<std::size_t>& terms, std::size_t most, double enough) {
  while (terms.size() > most) {
    stop_if_asked();
    // Of terms that cost the same but for rounding the last goes, a product of most factors.
    std::size_t cheapest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      // The mean is the least an equation says: the constant goes only beside other terms.
      if (terms.size() == 1 && task_.products[terms[i]].empty()) continue;
      const double price = cost(terms[i]);
      if (price <= least + rounding(least)) {
        least = price;
        cheapest = i;
      }
    }
    const double left = unexplained_ + least;
    // Products that are combinations of others use no degrees of freedom.
    if (!std::isfinite(least) || adjusted(left, std::min(terms.size() - 1, rank_)) > enough) break;
    // A coefficient that is 0 by chance must stay so when others are dropped.
    const std::size_t term = terms[cheapest];
    if (coefficients_->size(term) > 0) drop(term);
    unexplained_ = left;
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(cheapest));
  }
}

Fit Pruning::run() {
  const double full = adjusted(unexplained_, rank_);
  std::vector<std::size_t> terms(task_.products.size());
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = i;
  drop_terms(terms, 0, full + equation_tolerance(full));
  // What would have to say more than a person reads is said less exactly. The constant is not
  // counted.
  const std::size_t constant = !terms.empty() && task_.products[terms.front()].empty() ? 1 : 0;
  if (terms.size() - constant > task_.most_terms && full > exact_share) {
    drop_terms(terms, task_.most_terms + constant, task_.enough);
  }
  Fit fit;
  fit.left_out = unexplained_;
  fit.claimed_r2 = fit.r2_fit = fit.r2 = 1 - unexplained_;
  const double scale = design_.columns[task_.target].deviation;
  for (const std::size_t i : terms) {
    fit.terms.push_back({coefficients_->amount(i) * scale, task_.products[i]});
  }
  return fit;
}

}  // namespace

Fit fit_and_prune(const Design& design, const FitTask& task, std::vector<double> gram) {
  return Pruning(design, task, std::move(gram)).run();
}

}  // namespace fsieve::equation
