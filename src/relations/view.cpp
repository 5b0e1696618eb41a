#include "relations/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/telling_sample.h"
#include "equation/claim.h"
#include "relations/fit.h"

namespace fsieve::relations {
namespace {

// Rows that are enough to see a relation, for few columns; more columns need more.
constexpr std::size_t sheet_rows = 1024;
constexpr std::size_t rows_per_column = 4;
constexpr std::size_t sheet_values = std::size_t{1} << 24U;

// A level that no row of the sheet has would be missing in every sum that needs it: rows of rare
// values are in the sheet too, and weigh less.
Sheet sheet_of(const Source& source, const Design& design, Progress& progress) {
  const std::size_t columns = std::max<std::size_t>(design.columns.size(), 1);
  const std::size_t rows =
      std::min(std::max(sheet_rows, rows_per_column * columns), sheet_values / columns);
  if (source.rows() <= rows) return read_sheet(source, design, rows, progress);
  constexpr std::uint64_t seed = 0;
  const auto sample = telling_sample(source, design, rows, seed, progress);
  return read_sheet(*sample, design, sample->rows(), progress);
}

}  // namespace

View::View(const Source& source, const Design& columns, const Settings& asked, Progress& progress)
    : design(columns), settings(asked), sheet(sheet_of(source, columns, progress)) {
  for (std::uint32_t c = 0; c < design.columns.size(); ++c) about.push_back(described(c));
}

View::About View::described(std::uint32_t c) const {
  About own;
  const DesignFeature& feature = design.features[design.columns[c].feature];
  own.single = feature.last - feature.first == 1;
  own.may_go = own.single && !stays(design.columns[c].feature);
  const double* values = sheet.column(c);
  for (std::size_t i = 0; i < sheet.rows; ++i) {
    own.divisor = own.divisor && values[i] != 0;
    own.positive = own.positive && values[i] > 0;
    own.negative = own.negative || values[i] < 0;
  }
  return own;
}

bool View::enough_rows(std::size_t columns) const {
  return columns <= most_columns && rows_per_column * columns <= sheet.rows;
}

bool View::all_together(std::size_t columns) const {
  return columns <= most_columns && columns + columns / 10 + 10 <= sheet.rows;
}

bool View::deep_enough(const Relation& relation) const {
  if (settings.depth == 0) return true;
  return std::all_of(relation.products.begin(), relation.products.end(),
                     [&](const Product& product) {
                       double degree = 0;
                       for (const Factor& f : product) degree += std::abs(f.power);
                       return degree <= settings.depth;
                     });
}

double View::lean_fit(Relation& relation) const {
  const double norm = fit(sheet, relation);
  return std::isfinite(norm) && drop_needless(relation) ? fit(sheet, relation) : norm;
}

// Products that a wrong turn of the search, or rounding, has left behind.
bool View::drop_needless(Relation& relation) const {
  std::vector<Product> needed;
  for (std::size_t k = 0; k < relation.products.size(); ++k) {
    if (relation.products[k].empty()) continue;
    const double part = std::abs(relation.coefficients[k]) * deviation(relation.products[k]);
    if (part > 1e-6 * design.columns[relation.target].deviation) {
      needed.push_back(relation.products[k]);
    }
  }
  const bool constant = relation.products.back().empty();
  if (needed.empty() || needed.size() + (constant ? 1 : 0) == relation.products.size()) {
    return false;
  }
  relation.products = std::move(needed);
  return true;
}

double View::deviation(const Product& product) const {
  std::vector<double> values(sheet.rows);
  evaluate(
      product, [&](std::uint32_t c) { return sheet.column(c); }, sheet.rows, values.data());
  std::vector<double> deviations;
  (void)standardised(sheet, std::move(values), deviations);
  return deviations[0];
}

double View::share(const Relation& relation) const {
  double squares = 0;
  for (std::size_t k = 0; k < relation.products.size(); ++k) {
    if (relation.products[k].empty()) continue;
    squares += std::pow(relation.coefficients[k] * deviation(relation.products[k]), 2);
  }
  const double own = design.columns[relation.target].deviation;
  return std::round(1e6 * own / std::sqrt(squares + own * own)) / 1e6;
}

bool View::sum_in_disguise(const Relation& relation) const {
  Relation own = relation;
  Relation sum = relation;
  sum.products.clear();
  for (const std::uint32_t column : relation.columns()) sum.products.push_back({{column, 1}});
  if (sum.products.size() < 2 && logarithms(relation) == 0) return false;
  const double norm = fit(sheet, own);
  const bool plain =
      own.products.size() == 1 &&
      std::all_of(own.products[0].begin(), own.products[0].end(),
                  [](const Factor& factor) { return factor.plain() || factor.power == 2; });
  return fit(sheet, sum) < (plain ? 0.5 : 2) * norm;
}

std::vector<double> View::gram_of(const std::vector<std::uint32_t>& columns,
                                  std::vector<double>& deviations) const {
  std::vector<double> values;
  for (const std::uint32_t c : columns) {
    values.insert(values.end(), sheet.column(c), sheet.column(c) + sheet.rows);
  }
  return gram(sheet.rows, standardised(sheet, std::move(values), deviations));
}

Tableau View::split(const std::vector<double>& products, const std::vector<Bundle>& bundles,
                    double epsilon) const {
  const std::vector<std::size_t> others =
      eliminated(products, bundles, epsilon, static_cast<double>(sheet.rows));
  std::vector<std::size_t> basis;
  for (std::size_t k = 0; k < bundles.size(); ++k) {
    if (std::find(others.begin(), others.end(), k) == others.end()) basis.push_back(k);
  }
  return tableau_of(products, bundles.size(), std::move(basis), others);
}

double count_of_choices(std::size_t columns, std::size_t terms) {
  return static_cast<double>(terms + 1) * std::log(static_cast<double>(columns));
}

}  // namespace fsieve::relations
