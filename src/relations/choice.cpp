#include "relations/choice.h"

#include <cmath>

namespace fsieve::relations {
namespace {

// More terms make no equation that anyone would read.
constexpr std::size_t longest_sum = 60;

using Sum = std::set<Product>;

Sum multiplied(const Sum& a, const Sum& b) {
  Sum result;
  for (const Product& left : a) {
    for (const Product& right : b) result.insert(relations::multiplied(left, right));
  }
  return result;
}

// The logarithm of a single product is a sum of logarithms; a relation is fitted with a constant
// where it needs one.
std::optional<Sum> logarithm_of(const Sum& sum, Form form) {
  if (sum.size() != 1) return std::nullopt;
  const Product& product = *sum.begin();
  if (product.size() == 1 && product[0].plain()) return Sum{{{product[0].column, 1, form}}};
  if (form != Form::log) return std::nullopt;
  Sum result;
  for (const Factor& factor : product) {
    if (factor.form != Form::itself) return std::nullopt;
    result.insert({{factor.column, 1, Form::log}});
  }
  return result;
}

// A power of a single product is a product, whatever the power; a sum takes small whole powers.
std::optional<Sum> power_of(const Sum& sum, double power) {
  if (sum.size() == 1) {
    Product product = *sum.begin();
    for (Factor& factor : product) factor.power *= power;
    return Sum{product};
  }
  if (power != 1 && power != 2 && power != 3) return std::nullopt;
  Sum result = sum;
  for (int times = 1; times < static_cast<int>(power); ++times) {
    result = multiplied(result, sum);
    if (result.size() > longest_sum) return std::nullopt;
  }
  return result;
}

}  // namespace

bool Choice::take(const Relation& relation) {
  if (gone(relation.target)) return false;
  if (needs(relation.columns(), relation.target)) return false;
  chosen_.emplace(relation.target, relation);
  return true;
}

bool Choice::needs(const std::set<std::uint32_t>& columns, std::uint32_t wanted) const {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> open(columns.begin(), columns.end());
  while (!open.empty()) {
    const std::uint32_t column = open.back();
    open.pop_back();
    if (column == wanted) return true;
    if (!seen.insert(column).second) continue;
    const auto known = chosen_.find(column);
    if (known == chosen_.end()) continue;
    const auto further = known->second.columns();
    open.insert(open.end(), further.begin(), further.end());
  }
  return false;
}

std::optional<Relation> Choice::in_kept_columns(std::uint32_t target) const {
  Relation result = chosen_.at(target);
  Sum all;
  for (const Product& product : result.products) {
    Sum expanded{Product{}};
    for (const Factor& factor : product) {
      Sum replacement{Product{{factor.column, 1}}};
      if (gone(factor.column)) {
        const auto deeper = in_kept_columns(factor.column);
        if (!deeper) return std::nullopt;
        replacement = Sum(deeper->products.begin(), deeper->products.end());
      }
      const auto raised = factor.form == Form::itself ? power_of(replacement, factor.power)
                                                      : logarithm_of(replacement, factor.form);
      if (!raised) return std::nullopt;
      expanded = multiplied(expanded, *raised);
      if (expanded.size() > longest_sum) return std::nullopt;
    }
    all.insert(expanded.begin(), expanded.end());
    if (all.size() > longest_sum) return std::nullopt;
  }
  result.products.assign(all.begin(), all.end());
  result.coefficients.clear();
  return result;
}

}  // namespace fsieve::relations
