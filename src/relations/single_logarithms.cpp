#include "relations/single_logarithms.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "linalg/tiles.h"
#include "relations/fit.h"

namespace fsieve::relations {
namespace {

// In a narrow range every curve is nearly a line: a logarithm must leave less than this share of
// what the column itself leaves.
constexpr double clearly_curved = 0.5;
// Rows that show which columns may be one, and multiply-adds that it may take to see.
constexpr std::size_t screen_rows = 256;
constexpr double screen_work = 2e9;
constexpr std::size_t tile = 256;  // columns looked at together
// What is left there may be more than on all rows.
constexpr double screen_norm = 1.5 * exact_norm;
constexpr std::size_t most_fits = 4;  // of a column

template <class Value>
std::vector<double> standardised_columns(const Sheet& sheet, std::span<const std::uint32_t> columns,
                                         const Value& value) {
  std::vector<double> values;
  values.reserve(columns.size() * sheet.rows);
  for (const std::uint32_t c : columns) {
    std::transform(sheet.column(c), sheet.column(c) + sheet.rows, std::back_inserter(values),
                   value);
  }
  std::vector<double> deviations;
  return standardised(sheet, std::move(values), deviations);
}

Relation relation_of(std::uint32_t target, Factor factor, std::size_t columns) {
  Relation relation;
  relation.target = target;
  relation.products = {{factor}};
  relation.candidates = count_of_choices(columns, 1);
  return relation;
}

// A column that another may be the logarithm of.
struct Argument {
  double cosine;  // squared, to as many digits as rounding leaves
  bool gone;
  std::uint32_t column;
};

// Of powers of one column, which have the same logarithm, one that stays.
std::optional<Relation> best_of(const View& view, std::uint32_t target,
                                std::vector<Argument>& arguments, std::size_t columns) {
  std::stable_sort(arguments.begin(), arguments.end(), [](const Argument& a, const Argument& b) {
    return a.cosine != b.cosine ? a.cosine > b.cosine : a.gone < b.gone;
  });
  arguments.resize(std::min(arguments.size(), most_fits));
  std::optional<Relation> best;
  double least = exact_norm;
  for (const Argument& argument : arguments) {
    Relation found = relation_of(target, {argument.column, 1, Form::log}, columns);
    Relation line = relation_of(target, {argument.column, 1}, columns);
    const double left = fit(view.sheet, found);
    if (left > least * (1 - 1e-6) || left > clearly_curved * fit(view.sheet, line)) continue;
    least = left;
    best = std::move(found);
  }
  return best;
}

}  // namespace

std::vector<Relation> single_logarithms(const View& view, const std::vector<std::uint32_t>& columns,
                                        const std::function<bool(std::uint32_t)>& gone) {
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> positive;
  for (const std::uint32_t c : columns) {
    if (view.about[c].may_go && !gone(c)) targets.push_back(c);
    if (view.about[c].positive) positive.push_back(c);
  }
  const Sheet sheet = thinned(view.sheet, screen_rows);
  const std::size_t n = sheet.rows;
  const std::size_t count = positive.size();
  if (count == 0 ||
      static_cast<double>(n * count) * static_cast<double>(targets.size()) > screen_work) {
    return {};
  }
  const std::vector<double> curved =
      standardised_columns(sheet, positive, [](double x) { return std::log(x); });
  std::vector<Relation> relations;
  for (std::size_t first = 0; first < targets.size(); first += tile) {
    const auto some = std::span<const std::uint32_t>(targets).subspan(
        first, std::min(tile, targets.size() - first));
    const std::vector<double> plain = standardised_columns(sheet, some, [](double x) { return x; });
    std::vector<double> inner(count * some.size());
    blas::tiled_gemm(blas::Op::transpose, blas::Op::none, count, some.size(), n,
                     1 / static_cast<double>(n), curved.data(), n, plain.data(), n, 0.0,
                     inner.data(), count);
    for (std::size_t t = 0; t < some.size(); ++t) {
      std::vector<Argument> arguments;
      for (std::size_t k = 0; k < count; ++k) {
        const double cosine = std::round(1e9 * std::pow(inner[k + t * count], 2)) / 1e9;
        if (positive[k] == some[t] || cosine < 1 - screen_norm * screen_norm) continue;
        arguments.push_back({cosine, gone(positive[k]), positive[k]});
      }
      auto found = best_of(view, some[t], arguments, columns.size());
      if (found) relations.push_back(std::move(*found));
    }
  }
  return relations;
}

}  // namespace fsieve::relations
