#include "relations/powers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fsieve::relations {
namespace {

constexpr double exact_log_norm = 1e-3;
// Columns that grow together are, to many digits, a product of odd powers of each other, which says
// nothing. Formulas have few factors, and powers that people use but for one or two.
constexpr std::size_t most_power_factors = 6;
constexpr std::size_t most_odd_powers = 2;

bool is_odd(const Factor& factor) {
  const double twelfths = 12 * factor.power;
  return std::abs(twelfths - std::round(twelfths)) > 1e-9;
}

bool is_formula(const Product& product) {
  const auto odd = std::count_if(product.begin(), product.end(), is_odd);
  return product.size() <= most_power_factors && static_cast<std::size_t>(odd) <= most_odd_powers;
}

// Factors of odd powers that do next to nothing, where the others have powers that people use.
void drop_small(Product& product, const std::vector<bool>& small) {
  Product others;
  for (std::size_t f = 0; f < product.size(); ++f) {
    if (!is_odd(product[f])) {
      others.push_back(product[f]);
    } else if (!small[f]) {
      return;
    }
  }
  product = std::move(others);
}

}  // namespace

std::vector<Relation> power_relations(const View& view, const std::vector<std::uint32_t>& columns) {
  if (columns.size() < 2 || !view.enough_rows(columns.size())) return {};
  const Sheet& sheet = view.sheet;
  std::vector<double> logarithms;
  for (const std::uint32_t c : columns) {
    const double* values = sheet.column(c);
    for (std::size_t i = 0; i < sheet.rows; ++i) {
      logarithms.push_back(std::log(std::abs(values[i])));
    }
  }
  std::vector<double> deviations;
  const std::vector<double> products =
      gram(sheet.rows, standardised(sheet, std::move(logarithms), deviations));
  const std::vector<Bundle> bundles = single_bundles(columns.size(), [&](std::size_t k) {
    return deviations[k] > 0 && view.about[columns[k]].may_go;
  });
  Tableau tableau = view.split(products, bundles, exact_log_norm);
  const auto power = [&](std::size_t basis, std::size_t other, double weight) {
    return usual_power(weight * deviations[other] / deviations[basis], 1e-3);
  };
  Simplicity simplicity;
  simplicity.zero = 1e-4;
  simplicity.cost = [&](std::size_t basis, std::size_t other, double weight) {
    return awkwardness(power(basis, other, weight));
  };
  simplicity.free = [&](std::size_t k) { return view.about[columns[k]].may_go; };
  simplify(tableau, simplicity);
  std::vector<Relation> relations;
  for (std::size_t o = 0; o < tableau.others.size(); ++o) {
    Relation relation;
    relation.target = columns[tableau.others[o]];
    Product product;
    std::vector<bool> small;  // of its factors: too small to be seen in the logarithms
    bool real = true;
    for (std::size_t b = 0; b < tableau.basis.size(); ++b) {
      const double weight = tableau.weights[b + o * tableau.basis.size()];
      if (std::abs(weight) < simplicity.zero) continue;
      const std::uint32_t column = columns[tableau.basis[b]];
      const double own = power(tableau.basis[b], tableau.others[o], weight);
      if (own == 0) continue;
      product.push_back({column, own});
      small.push_back(std::abs(weight) < exact_log_norm);
      const bool whole = product.back().power == std::round(product.back().power);
      real = real && (whole || view.about[column].positive);
    }
    drop_small(product, small);
    if (!real || product.empty() || !is_formula(product)) continue;
    std::sort(product.begin(), product.end());
    relation.products.push_back(std::move(product));
    relation.candidates = count_of_choices(columns.size(), relation.products[0].size());
    if (!view.sum_in_disguise(relation)) relations.push_back(std::move(relation));
  }
  return relations;
}

}  // namespace fsieve::relations
