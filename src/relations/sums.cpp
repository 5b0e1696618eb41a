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
class Shortening {
 public:
  Shortening(const View& view, Relation& relation) : view_(view), relation_(relation) {}

  void run() {
    constexpr double no_digits = 1e-6;
    constexpr std::size_t most_tried = 24;
    const double whole = norm_of(relation_.products);
    if (!(whole > no_digits && whole <= exact_norm)) return;
    most_ = 2 * whole;
    keep_largest();
    if (relation_.products.size() > most_tried) return;
    while (drop_one()) {
    }
  }

 private:
  // As of a table of any number of rows: many columns fit the digits of few rows.
  [[nodiscard]] double norm_of(const std::vector<Product>& products) const {
    Relation tried = relation_;
    tried.products = products;
    const double norm = fit(view_.sheet, tried);
    const auto rows = static_cast<double>(view_.sheet.rows);
    const auto spent = static_cast<double>(tried.products.size());
    return norm * std::sqrt(rows / std::max(rows - spent, 1.0));
  }

  // The fewest of those with the largest parts.
  void keep_largest() {
    Relation fitted = relation_;
    static_cast<void>(fit(view_.sheet, fitted));
    std::vector<std::pair<double, Product>> parts;
    for (std::size_t k = 0; k < fitted.products.size(); ++k) {
      if (fitted.products[k].empty()) continue;
      const double deviation = view_.design.columns[fitted.products[k][0].column].deviation;
      parts.emplace_back(std::abs(fitted.coefficients[k]) * deviation, fitted.products[k]);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    const auto first = [&](std::size_t count) {
      std::vector<Product> products;
      for (std::size_t k = 0; k < count; ++k) products.push_back(parts[k].second);
      std::sort(products.begin(), products.end());
      return products;
    };
    std::size_t too_few = 0;
    std::size_t enough = parts.size();
    while (enough - too_few > 1) {
      const std::size_t middle = (too_few + enough) / 2;
      (norm_of(first(middle)) <= most_ ? enough : too_few) = middle;
    }
    relation_.products = first(enough);
  }

  bool drop_one() {
    if (relation_.products.size() < 2) return false;
    std::vector<Product> best;
    double least = most_;
    for (std::size_t k = 0; k < relation_.products.size(); ++k) {
      std::vector<Product> without = relation_.products;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
      const double norm = norm_of(without);
      if (norm < least) {
        least = norm;
        best = std::move(without);
      }
    }
    if (best.empty()) return false;
    relation_.products = std::move(best);
    return true;
  }

  const View& view_;
  Relation& relation_;
  double most_ = 0;  // norm that may be left
};

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
    Shortening(view, relation).run();
    relation.candidates = count_of_choices(columns.size(), relation.products.size());
    relations.push_back(std::move(relation));
  }
  return relations;
}

}  // namespace fsieve::relations
