#include "relations/relation.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace fsieve::relations {
namespace {

bool small_whole(double power) { return power == 1 || power == 2 || power == 3; }

}  // namespace

std::set<std::uint32_t> Relation::columns() const {
  std::set<std::uint32_t> all;
  for (const Product& product : products) {
    for (const Factor& factor : product) all.insert(factor.column);
  }
  return all;
}

double difficulty(const Factor& factor) {
  if (factor.form != Form::itself) return factor.form == Form::log ? 1.5 : 2;
  const double size = std::abs(factor.power);
  const double sign = factor.power < 0 ? 0.5 : 0;
  if (size == std::round(size)) return size + sign;
  if (2 * size == std::round(2 * size)) return size + 1 + sign;
  return 4 + sign;
}

double difficulty(const Product& product) {
  double sum = 0;
  for (const Factor& factor : product) sum += difficulty(factor);
  return sum;
}

double awkwardness(double power) {
  constexpr double division = 3;
  constexpr double odd_root = 6;
  if (2 * power != std::round(2 * power)) return std::abs(power) + odd_root;
  const bool plain = power > 0 && power == std::round(power);
  return std::abs(power) + (plain ? 0 : division);
}

double awkwardness(const Factor& factor) {
  constexpr double logarithm = 3.5;
  return factor.form == Form::itself ? awkwardness(factor.power) : logarithm;
}

double awkwardness(const Relation& relation) {
  double sum = 0;
  for (const Product& product : relation.products) {
    for (const Factor& factor : product) sum += awkwardness(factor);
  }
  return sum;
}

std::size_t logarithms(const Relation& relation) {
  const auto count =
      std::count_if(relation.products.begin(), relation.products.end(), [](const Product& product) {
        return std::any_of(product.begin(), product.end(),
                           [](const Factor& factor) { return factor.form != Form::itself; });
      });
  return static_cast<std::size_t>(count);
}

Product multiplied(const Product& a, const Product& b) {
  Product result = a;
  result.insert(result.end(), b.begin(), b.end());
  std::sort(result.begin(), result.end());
  Product merged;
  for (const Factor& factor : result) {
    const bool same = !merged.empty() && merged.back().column == factor.column &&
                      merged.back().form == factor.form;
    if (same) {
      merged.back().power += factor.power;
    } else {
      merged.push_back(factor);
    }
  }
  std::erase_if(merged, [](const Factor& factor) { return std::abs(factor.power) < 1e-12; });
  return merged;
}

double usual_power(double power, double tolerance) {
  for (const double part : {1.0, 2.0, 3.0, 4.0}) {
    const double usual = std::round(power * part) / part;
    if (std::abs(power - usual) <= tolerance) return usual;
  }
  return power;
}

Equation written(const Relation& relation, const Design& design) {
  Equation equation{design.columns[relation.target].name, {}, relation.r2, relation.r2_fit};
  Term constant;
  bool has_constant = false;
  for (std::size_t k = 0; k < relation.products.size(); ++k) {
    Term term;
    term.coefficient = relation.coefficients[k];
    const Product& product = relation.products[k];
    const bool plain = std::all_of(product.begin(), product.end(),
                                   [](const Factor& f) { return small_whole(f.power); });
    for (const Factor& factor : product) {
      const auto times = plain ? static_cast<std::size_t>(factor.power) : 1;
      term.factors.insert(term.factors.end(), times,
                          named(factor.form, design.columns[factor.column].name));
      if (!plain) term.powers.push_back(factor.power);
    }
    if (product.empty()) {
      constant = term;
      has_constant = true;
    } else {
      equation.terms.push_back(std::move(term));
    }
  }
  // As people write it: the constant stands last.
  if (has_constant || equation.terms.empty()) equation.terms.push_back(constant);
  order_naturally(equation);
  return equation;
}

}  // namespace fsieve::relations
