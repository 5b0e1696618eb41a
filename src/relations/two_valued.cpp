#include "relations/two_valued.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "relations/signs.h"

namespace fsieve::relations {
namespace {

double low_of(const DesignColumn& column) { return column.level ? 0 : column.low; }

// The products of all signs of the columns, in original units: one where the two values are
// opposite numbers, else with all sub-products; none where that is too long to read.
std::vector<Product> sign_products(const Sheet& sheet, const std::vector<std::uint32_t>& factors) {
  constexpr std::size_t most_offset = 3;
  std::vector<std::uint32_t> offset;
  Product whole;
  for (const std::uint32_t c : factors) {
    const double* values = sheet.column(c);
    const auto [low, high] = std::minmax_element(values, values + sheet.rows);
    if (std::abs(*low + *high) <= 1e-9 * std::abs(*high - *low)) {
      whole.push_back({c, 1});
    } else {
      offset.push_back(c);
    }
  }
  if (offset.size() > most_offset) return {};
  std::vector<Product> products;
  for (std::size_t mask = 0; mask < (std::size_t{1} << offset.size()); ++mask) {
    Product product = whole;
    for (std::size_t k = 0; k < offset.size(); ++k) {
      if ((mask >> k & 1U) != 0) product.push_back({offset[k], 1});
    }
    std::sort(product.begin(), product.end());
    if (!product.empty()) products.push_back(std::move(product));
  }
  return products;
}

}  // namespace

std::vector<Relation> two_valued_relations(const View& view, std::vector<std::uint32_t> columns) {
  if (columns.size() > most_columns) return {};
  // Of equally short relations the column that varies most goes, then the last.
  std::stable_sort(columns.begin(), columns.end(), [&](std::uint32_t a, std::uint32_t b) {
    return view.design.columns[a].deviation < view.design.columns[b].deviation * (1 - 1e-6);
  });
  std::vector<SignBits> bits;
  for (const std::uint32_t c : columns) {
    SignBits& own = bits.emplace_back((view.sheet.rows + 63) / 64);
    const double* values = view.sheet.column(c);
    for (std::size_t i = 0; i < view.sheet.rows; ++i) {
      if (values[i] != low_of(view.design.columns[c])) own[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }
  std::vector<Relation> relations;
  for (const SignRelation& signs : sign_relations(bits, view.sheet.rows)) {
    if (signs.factors.empty()) continue;
    Relation relation;
    relation.target = columns[signs.target];
    std::vector<std::uint32_t> factors;
    for (const std::size_t f : signs.factors) factors.push_back(columns[f]);
    // Every factor can be written by the others.
    const auto free = std::find_if(factors.rbegin(), factors.rend(),
                                   [&](std::uint32_t c) { return view.about[c].may_go; });
    if (!view.about[relation.target].may_go && free != factors.rend()) {
      std::swap(relation.target, *free);
    }
    std::sort(factors.begin(), factors.end());
    relation.products = sign_products(view.sheet, factors);
    if (relation.products.empty()) continue;
    relation.candidates = count_of_choices(columns.size(), factors.size());
    relations.push_back(std::move(relation));
  }
  return relations;
}

}  // namespace fsieve::relations
