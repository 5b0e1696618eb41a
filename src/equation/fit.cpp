#include "equation/fit.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/parallel.h"
#include "equation/pruning.h"
#include "equation/task_grams.h"

namespace fsieve::inline equation {

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

std::vector<Fit> fit_all(const Products& products, const std::vector<FitTask>& tasks,
                         Progress& progress) {
  std::vector<Fit> fits(tasks.size());
  for (std::size_t first = 0; first < tasks.size();) {
    const std::span<const FitTask> rest(tasks.data() + first, tasks.size() - first);
    const std::span<const FitTask> part = rest.first(tasks_of_one_pass(rest));
    const TaskGrams grams(products, part, progress);
    in_parallel(part.size(), [&](std::size_t t) {
      fits[first + t] = fit_and_prune(products.design(), part[t], grams.gram(t));
    });
    first += part.size();
  }
  return fits;
}

std::size_t Fit::length() const {
  return static_cast<std::size_t>(std::count_if(
      terms.begin(), terms.end(), [](const FittedTerm& term) { return !term.product.empty(); }));
}

}  // namespace fsieve::equation
