#include "equation/fit.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/binary.h"
#include "base/parallel.h"
#include "equation/pruning.h"
#include "equation/task_grams.h"
#include "linalg/blas.h"
#include "source/weights.h"
#include "span/parity_sums.h"
#include "stats/fold.h"

namespace fsieve::inline equation {
namespace {

// Sums of squared residuals of fits, in original units.
class Residuals {
 public:
  Residuals(const Design& design, const std::vector<std::size_t>& targets,
            const std::vector<Fit>& fits)
      : design_(&design), targets_(&targets), fits_(&fits), sums_(fits.size()) {}

  void add(const Block& block) {
    const RootWeights roots(block.weights);
    tbb::enumerable_thread_specific<std::vector<double>> scratch;
    in_parallel(fits_->size(), [&](std::size_t t) {
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
    const std::span<const FitTask> rest(tasks.data() + first, tasks.size() - first);
    const std::span<const FitTask> part = rest.first(tasks_of_one_pass(rest));
    TaskGrams grams(design, part);
    if (const SummedSource* const sums = as_sums(source)) {
      grams.look_up(*sums, design);
    } else {
      grams = fold(source, grams, "equations", progress);
    }
    in_parallel(part.size(), [&](std::size_t t) {
      fits[first + t] = fit_and_prune(design, part[t], grams.gram(t));
    });
    first += part.size();
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

}  // namespace fsieve::equation
