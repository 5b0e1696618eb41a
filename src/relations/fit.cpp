#include "relations/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "equation/confirmation.h"
#include "equation/held_out.h"
#include "equation/small_solve.h"
#include "linalg/blas.h"

namespace fsieve::relations {
namespace {

using blas::Op;

// Norms below are rounding.
constexpr double rounding = 1e-9;

// One or two steps to the least squares on the sheet; what is left of the target, squared.
double solve_on(const Sheet& sheet, Relation& relation) {
  const std::size_t n = sheet.rows;
  const std::size_t terms = relation.products.size();
  relation.coefficients.assign(terms, 0);
  const std::vector<double> values = values_on(sheet, relation);
  const Scaling scaling = scaling_of(relation, sheet, values);
  std::vector<double> scaled(values.size());
  for (std::size_t k = 0; k < terms; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const double root = sheet.roots.empty() ? 1 : sheet.roots[i];
      scaled[i + k * n] = root * (values[i + k * n] - scaling.centre[k]) / scaling.scale[k];
    }
  }
  std::vector<double> gram(terms * terms);
  blas::syrk_lower(Op::transpose, terms, n, 1.0, scaled.data(), n, 0.0, gram.data(), terms);
  const SmallFactor factor(std::move(gram), terms);
  double squares = 0;
  constexpr int steps = 3;  // the second repairs what the first loses by squares; the last measures
  for (int step = 0; step < steps; ++step) {
    std::vector<double> left(sheet.column(relation.target), sheet.column(relation.target) + n);
    for (std::size_t k = 0; k < terms; ++k) {
      blas::axpy(n, -relation.coefficients[k], values.data() + k * n, left.data());
    }
    for (std::size_t i = 0; i < sheet.roots.size(); ++i) left[i] *= sheet.roots[i];
    squares = blas::dot(n, left.data(), left.data());
    if (step + 1 == steps) break;
    std::vector<double> against(terms);
    blas::gemv(Op::transpose, n, terms, 1.0, scaled.data(), n, left.data(), 0.0, against.data());
    factor.solve(against.data());
    add_step(scaling, against, relation);
  }
  return squares;
}

double total_squares(const Sheet& sheet, std::uint32_t column) {
  std::vector<double> deviation;
  const double* values = sheet.column(column);
  (void)standardised(sheet, {values, values + sheet.rows}, deviation);
  return static_cast<double>(sheet.rows) * deviation[0] * deviation[0];
}

}  // namespace

double fit(const Sheet& sheet, Relation& relation) {
  const double total = total_squares(sheet, relation.target);
  std::erase_if(relation.products, [](const Product& product) { return product.empty(); });
  Relation with = relation;
  with.products.emplace_back();
  const double left = solve_on(sheet, with) / total;
  const double without = relation.products.empty() ? 1 : solve_on(sheet, relation) / total;
  constexpr double telling = 12;  // F of the constant
  // A constant no larger than what rounded data leave in every row says nothing: log(x) + 7e-06.
  constexpr double rounding_of_data = 1e-9;
  constexpr double few = 10;
  const bool needless =
      std::isfinite(without) &&
      (without <= rounding * rounding || (without <= rounding_of_data && without <= few * left) ||
       (without - left) * static_cast<double>(sheet.rows) <= telling * left);
  if (!needless) relation = std::move(with);
  const double norm = std::sqrt(needless ? without : left);
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
}

std::vector<Checked> check(const Source& source, const Design& design, const Sheet& sheet,
                           std::vector<Relation>& relations, const Allowed& allowed,
                           Progress& progress) {
  std::vector<Checked> results(relations.size());
  if (relations.empty()) return results;
  std::vector<Claim> claims(relations.begin(), relations.end());
  const std::vector<HeldOutFit> judged = held_out(source, design, sheet, claims, progress);
  for (std::size_t t = 0; t < relations.size(); ++t) {
    const auto terms = static_cast<double>(claims[t].products.size());
    relations[t].coefficients = std::move(claims[t].coefficients);
    relations[t].left_out = judged[t].left_out;
    relations[t].r2 = promised_r2(judged[t], design.weight);
    relations[t].r2_fit = 1 - judged[t].left;
    Checked& result = results[t];
    result.norm = std::sqrt(judged[t].left);
    result.adjusted_norm =
        result.norm * std::sqrt(design.weight / std::max(design.weight - terms, 1.0));
    Confirmation confirmed(allowed.left_out, design.weight, SIZE_MAX);
    confirmed.add(judged[t], claims[t].products.size(), 1, relations[t].candidates);
    result.holds = result.adjusted_norm <= allowed.left && confirmed.holds();
  }
  return results;
}

}  // namespace fsieve::relations
