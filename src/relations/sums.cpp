#include "relations/sums.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "relations/fit.h"

namespace fsieve::relations {
namespace {

// The indicators of a state are sums of those of its cities. Columns that cannot go by themselves
// must not depend on each other: any multiple of such a sum could stand in every relation.
void leave_out_coarser_categories(const View& view, std::vector<std::uint32_t>& columns) {
  std::vector<std::uint32_t> indicators;
  for (const std::uint32_t c : columns) {
    if (!view.about[c].single) indicators.push_back(c);
  }
  const auto width = [&](std::uint32_t c) {
    const DesignFeature& feature = view.design.features[view.design.columns[c].feature];
    return feature.last - feature.first;
  };
  std::stable_sort(indicators.begin(), indicators.end(),
                   [&](auto a, auto b) { return width(a) > width(b); });
  std::vector<double> deviations;
  const std::vector<double> products = view.gram_of(indicators, deviations);
  std::set<std::uint32_t> coarser;
  for (const std::size_t k : dependent_columns(products, indicators.size())) {
    coarser.insert(indicators[k]);
  }
  std::erase_if(columns, [&](std::uint32_t c) { return coarser.contains(c); });
}

// A relation that is exact but for digits that were rounded away takes up columns that fit these
// digits: those without which it is about as good go.
void shorten(const Sheet& sheet, Relation& relation) {
  constexpr std::size_t most_tried = 24;
  constexpr double no_digits = 1e-6;
  if (relation.products.size() > most_tried) return;
  const auto norm_of = [&](const std::vector<Product>& products) {
    Relation tried = relation;
    tried.products = products;
    return fit(sheet, tried);
  };
  const double whole = norm_of(relation.products);
  if (!(whole > no_digits && whole <= exact_norm)) return;
  while (relation.products.size() > 1) {
    std::vector<Product> best;
    double least = 1.1 * whole;
    for (std::size_t k = 0; k < relation.products.size(); ++k) {
      std::vector<Product> without = relation.products;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
      const double norm = norm_of(without);
      if (norm < least) {
        least = norm;
        best = std::move(without);
      }
    }
    if (best.empty()) return;
    relation.products = std::move(best);
  }
}

}  // namespace

std::vector<Relation> linear_relations(const View& view, std::vector<std::uint32_t> columns,
                                       const std::function<bool(std::uint32_t column)>& may_go) {
  if (columns.size() < 3 || !view.enough_rows(columns.size())) return {};
  leave_out_coarser_categories(view, columns);
  std::vector<double> deviations;
  const std::vector<double> products = view.gram_of(columns, deviations);
  const auto free = [&](std::size_t k) { return may_go(columns[k]) && deviations[k] > 0; };
  Tableau tableau = view.split(products, single_bundles(columns.size(), free), exact_norm);
  Simplicity simplicity;
  simplicity.zero = 1e-5;
  simplicity.cost = [](std::size_t, std::size_t, double) { return 1.0; };
  simplicity.free = free;
  simplify(tableau, simplicity);
  std::vector<Relation> relations;
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    Relation relation;
    relation.target = columns[tableau.others[o]];
    for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
      if (std::abs(tableau.weights[b + o * tableau.basis.size()]) < simplicity.zero) continue;
      relation.products.push_back({{columns[tableau.basis[b]], 1}});
    }
    std::sort(relation.products.begin(), relation.products.end());
    shorten(view.sheet, relation);
    relation.candidates = count_of_choices(columns.size(), relation.products.size());
    relations.push_back(std::move(relation));
  }
  return relations;
}

}  // namespace fsieve::relations
