#include "explain/fit.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "basis/parity.h"
#include "blas/blas.h"
#include "data/weights.h"
#include "explain/support.h"
#include "orth/parity_sums.h"
#include "stats/binary.h"
#include "stats/fold.h"

namespace fsieve {
namespace {

using blas::Op;

constexpr std::size_t slice_rows = 1024;
// Inner products of this many bytes are formed in one pass over the data.
constexpr std::size_t pass_bytes = std::size_t{64} << 20U;

Parity parity_of(const Monomial& product) {
  Parity parity;
  for (const std::uint32_t column : product) parity = parity.times(column);
  return parity;
}

// For every task, the inner products of its (standardised) products and its target, the last.
class TaskGrams {
 public:
  TaskGrams(const Design& design, std::span<const FitTask> tasks)
      : rows_(design, columns_of(tasks)) {
    std::size_t offset = 0;
    for (const FitTask& task : tasks) {
      auto& functions = functions_.emplace_back();
      for (const Monomial& product : task.products) functions.push_back(parity_of(product));
      functions.push_back(Parity().times(task.target));
      offsets_.push_back(offset);
      offset += functions.size() * functions.size();
    }
    sums_.resize(offset);
  }

  void add(const Block& block) {
    for (std::size_t row = 0; row < block.rows; row += slice_rows) {
      const std::size_t count = std::min(slice_rows, block.rows - row);
      rows_.fill(block, row, count);
      tbb::enumerable_thread_specific<std::vector<double>> scratch;
      tbb::parallel_for(std::size_t{0}, functions_.size(), [&](std::size_t t) {
        const auto& functions = functions_[t];
        std::vector<double>& values = scratch.local();
        values.resize(functions.size() * count);
        for (std::size_t f = 0; f < functions.size(); ++f) {
          rows_.evaluate(functions[f], values.data() + f * count);
        }
        blas::gemm(Op::transpose, Op::none, functions.size(), functions.size(), count, 1.0,
                   values.data(), count, values.data(), count, 1.0, sums_.data() + offsets_[t],
                   functions.size());
      });
    }
  }

  // Where the sums over all rows are known.
  void look_up(const SummedSource& sums, const Design& design) {
    const std::vector<double>& known = sums.products(design);
    for (std::size_t t = 0; t < functions_.size(); ++t) {
      const auto positions = sums.positions(design, functions_[t]);
      double* out = sums_.data() + offsets_[t];
      for (const std::size_t j : positions) {
        for (const std::size_t i : positions) *out++ = known[i + j * sums.sums().size()];
      }
    }
  }

  void merge(const TaskGrams& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  }
  void save(std::ostream& out) const { save_values(out, sums_); }
  void load(std::istream& in) { load_values(in, sums_); }
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }

  [[nodiscard]] const double* gram(std::size_t task) const { return sums_.data() + offsets_[task]; }

 private:
  static std::vector<std::size_t> columns_of(std::span<const FitTask> tasks) {
    std::set<std::size_t> columns;
    for (const FitTask& task : tasks) {
      columns.insert(task.target);
      for (const Monomial& product : task.products) columns.insert(product.begin(), product.end());
    }
    return {columns.begin(), columns.end()};
  }

  StandardisedRows rows_;
  std::vector<std::vector<Parity>> functions_;
  std::vector<std::size_t> offsets_;
  std::vector<double> sums_;
};

// The least-squares problem of one task in standardised products, and its pruning in original
// units.
class Pruning {
 public:
  Pruning(const Design& design, const FitTask& task, const double* sums);

  Fit run();

 private:
  void solve(const double* sums);
  void to_original_units();
  void drop(std::size_t term);

  const Design& design_;
  const FitTask& task_;
  std::size_t count_;
  double rows_;
  double unexplained_ = 0;
  std::vector<std::size_t> independent_;  // products that are not combinations of earlier ones
  std::vector<double> inverse_;           // of their Gram matrix
  std::vector<double> solution_;
  // In original units, the target divided by its deviation: coefficients, and how they move
  // together (the covariance of the coefficients but for a factor).
  std::vector<double> coefficients_;
  std::vector<double> covariance_;
};

Pruning::Pruning(const Design& design, const FitTask& task, const double* sums)
    : design_(design), task_(task), count_(task.products.size()), rows_(design.weight) {
  solve(sums);
  to_original_units();
}

// Cholesky with a skip: products that are combinations of earlier ones are left out.
void Pruning::solve(const double* sums) {
  const std::size_t stride = count_ + 1;
  std::vector<double> lower;  // row by row, over the independent products
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < count_; ++i) {
    std::vector<double> row;
    double left = sums[i + i * stride] / rows_;
    const double size = left;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double value = sums[i + independent_[k] * stride] / rows_;
      value -= blas::dot(k, row.data(), rows[k].data());
      row.push_back(value / rows[k][k]);
      left -= row.back() * row.back();
    }
    if (left <= 1e-10 * size) continue;
    row.push_back(std::sqrt(left));
    rows.push_back(std::move(row));
    independent_.push_back(i);
  }
  const std::size_t m = rows.size();
  lower.assign(m * m, 0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k <= i; ++k) lower[i + k * m] = rows[i][k];
  }
  inverse_.assign(m * m, 0);
  for (std::size_t i = 0; i < m; ++i) inverse_[i + i * m] = 1;
  blas::solve_lower(m, m, lower.data(), m, inverse_.data(), m);
  blas::solve_lower_transposed(m, m, lower.data(), m, inverse_.data(), m);
  solution_.resize(m);
  for (std::size_t i = 0; i < m; ++i)
    solution_[i] = sums[independent_[i] + count_ * stride] / rows_;
  blas::solve_lower(m, 1, lower.data(), m, solution_.data(), m);
  unexplained_ =
      sums[count_ + count_ * stride] / rows_ - blas::dot(m, solution_.data(), solution_.data());
  unexplained_ = std::max(unexplained_, 0.0);
  blas::solve_lower_transposed(m, 1, lower.data(), m, solution_.data(), m);
}

// A standardised product is the sum over its parts T of x^T times 1/deviation for every factor and
// −mean for every factor outside T.
void Pruning::to_original_units() {
  std::map<Monomial, std::size_t> place;
  for (std::size_t i = 0; i < count_; ++i) place[task_.products[i]] = i;
  const std::size_t m = independent_.size();
  std::vector<double> expansion(count_ * m);
  for (std::size_t i = 0; i < m; ++i) {
    const Monomial& product = task_.products[independent_[i]];
    for (std::uint32_t mask = 0; mask < (1U << product.size()); ++mask) {
      Monomial part;
      double factor = 1;
      for (std::size_t f = 0; f < product.size(); ++f) {
        const DesignColumn& column = design_.columns[product[f]];
        if ((mask >> f) & 1U) {
          part.push_back(product[f]);
          factor /= column.deviation;
        } else {
          factor *= -column.mean / column.deviation;
        }
      }
      expansion[place.at(part) + i * count_] += factor;  // parts of a power come more than once
    }
  }
  const DesignColumn& target = design_.columns[task_.target];
  coefficients_.assign(count_, 0);
  blas::gemv(Op::none, count_, m, 1.0, expansion.data(), count_, solution_.data(), 0.0,
             coefficients_.data());
  coefficients_[0] += target.mean / target.deviation;
  std::vector<double> half(count_ * m);
  blas::gemm(Op::none, Op::none, count_, m, m, 1.0, expansion.data(), count_, inverse_.data(), m,
             0.0, half.data(), count_);
  covariance_.assign(count_ * count_, 0);
  blas::gemm(Op::none, Op::transpose, count_, count_, m, 1.0, half.data(), count_, expansion.data(),
             count_, 0.0, covariance_.data(), count_);
}

// Sets one coefficient to zero and refits the others.
void Pruning::drop(std::size_t term) {
  const std::vector<double> column(covariance_.begin() + term * count_,
                                   covariance_.begin() + (term + 1) * count_);
  const double variance = column[term];
  blas::axpy(count_, -coefficients_[term] / variance, column.data(), coefficients_.data());
  for (std::size_t j = 0; j < count_; ++j) {
    blas::axpy(count_, -column[j] / variance, column.data(), covariance_.data() + j * count_);
  }
  coefficients_[term] = 0;
}

Fit Pruning::run() {
  const auto adjusted = [&](double left, std::size_t terms) {
    return left * rows_ / std::max(1.0, rows_ - static_cast<double>(terms));
  };
  const double full = adjusted(unexplained_, independent_.size());
  const double enough = full + equation_tolerance(full);
  std::vector<std::size_t> terms(count_);
  for (std::size_t i = 0; i < count_; ++i) terms[i] = i;
  while (!terms.empty()) {
    // What dropping a term costs: its coefficient's square over its variance.
    const auto cost = [&](std::size_t i) {
      const double variance = covariance_[i + i * count_];
      const double square = coefficients_[i] * coefficients_[i];
      if (square == 0) return 0.0;
      return variance > 0 ? square / variance : std::numeric_limits<double>::infinity();
    };
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
    if (!std::isfinite(least) || adjusted(left, terms.size() - 1) > enough) break;
    // A coefficient that is 0 by chance must stay so when others are dropped.
    const std::size_t term = terms[cheapest];
    if (covariance_[term + term * count_] > 0) drop(term);
    unexplained_ = left;
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(cheapest));
  }
  Fit fit;
  fit.r2 = 1 - unexplained_;
  const double scale = design_.columns[task_.target].deviation;
  for (const std::size_t i : terms) {
    fit.terms.push_back({coefficients_[i] * scale, task_.products[i]});
  }
  return fit;
}

// Sums of squared residuals of fits, in original units.
class Residuals {
 public:
  Residuals(const Design& design, const std::vector<std::size_t>& targets,
            const std::vector<Fit>& fits)
      : design_(&design), targets_(&targets), fits_(&fits), sums_(fits.size()) {}

  void add(const Block& block) {
    const RootWeights roots(block.weights);
    tbb::enumerable_thread_specific<std::vector<double>> scratch;
    tbb::parallel_for(std::size_t{0}, fits_->size(), [&](std::size_t t) {
      std::vector<double>& work = scratch.local();
      work.resize(3 * block.rows);
      double* left = work.data();
      double* term = left + block.rows;
      double* factor = term + block.rows;
      design_->original(block, 0, block.rows, (*targets_)[t], left);
      for (const FittedTerm& fitted : (*fits_)[t].terms) {
        std::fill_n(term, block.rows, fitted.coefficient);
        for (const std::uint32_t column : fitted.product) {
          design_->original(block, 0, block.rows, column, factor);
          for (std::size_t i = 0; i < block.rows; ++i) term[i] *= factor[i];
        }
        for (std::size_t i = 0; i < block.rows; ++i) left[i] -= term[i];
      }
      roots.scale(left);
      sums_[t] += blas::dot(block.rows, left, left);
    });
  }

  void merge(const Residuals& other) {
    for (std::size_t t = 0; t < sums_.size(); ++t) sums_[t] += other.sums_[t];
  }
  void save(std::ostream& out) const { save_values(out, sums_); }
  void load(std::istream& in) { load_values(in, sums_); }
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }
  [[nodiscard]] double sum(std::size_t t) const { return sums_[t]; }

 private:
  const Design* design_;
  const std::vector<std::size_t>* targets_;
  const std::vector<Fit>* fits_;
  std::vector<double> sums_;
};

}  // namespace

std::vector<Monomial> closure(const std::vector<Monomial>& products) {
  std::set<Monomial> parts{{}};
  for (const Monomial& product : products) {
    for (std::uint32_t mask = 1; mask < (1U << product.size()); ++mask) {
      Monomial part;
      for (std::size_t f = 0; f < product.size(); ++f) {
        if ((mask >> f) & 1U) part.push_back(product[f]);
      }
      parts.insert(std::move(part));
    }
  }
  std::vector<Monomial> sorted(parts.begin(), parts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Monomial& a, const Monomial& b) { return a.size() < b.size(); });
  return sorted;
}

std::vector<Fit> fit_all(const Source& source, const Design& design,
                         const std::vector<FitTask>& tasks, Progress& progress) {
  std::vector<Fit> fits(tasks.size());
  for (std::size_t first = 0; first < tasks.size();) {
    std::size_t last = first;
    std::size_t bytes = 0;
    while (last < tasks.size() && (last == first || bytes < pass_bytes)) {
      bytes +=
          (tasks[last].products.size() + 1) * (tasks[last].products.size() + 1) * sizeof(double);
      ++last;
    }
    const std::span<const FitTask> part(tasks.data() + first, last - first);
    TaskGrams grams(design, part);
    if (const SummedSource* const sums = as_sums(source)) {
      grams.look_up(*sums, design);
    } else {
      grams = fold(source, grams, "equations", progress);
    }
    tbb::parallel_for(std::size_t{0}, part.size(), [&](std::size_t t) {
      fits[first + t] = Pruning(design, part[t], grams.gram(t)).run();
    });
    first = last;
  }
  return fits;
}

void measure_r2(const Source& source, const Design& design, const std::vector<std::size_t>& targets,
                std::vector<Fit>& fits, Progress& progress) {
  if (fits.empty()) return;
  // Without the rows there is nothing to measure on: what the fit itself says must do.
  if (as_sums(source) != nullptr) return;
  const Residuals residuals =
      fold(source, Residuals(design, targets, fits), "checking the equations", progress);
  for (std::size_t t = 0; t < fits.size(); ++t) {
    const double deviation = design.columns[targets[t]].deviation;
    const double total = design.weight * deviation * deviation;
    fits[t].r2 = 1 - residuals.sum(t) / total;
  }
}

}  // namespace fsieve
