#include "data/families.h"

#include <algorithm>

#include "base/parallel.h"
#include "data/rank_polynomials.h"
#include "data/ranked_rows.h"
#include "source/whole_table.h"
#include "stats/normal.h"

namespace fsieve::inline data {
namespace {

constexpr std::size_t curves_of_feature = most_rank_polynomials - 1;

}  // namespace

std::vector<double> centred_ranks(std::span<const double> values, std::span<const double> weights) {
  std::vector<double> ranks(values.size());
  RankedRows(values, weights).for_each_value([&](const auto& rows, double rank, double /*share*/) {
    for (const std::size_t row : rows) ranks[row] = rank;
  });
  return ranks;
}

std::vector<double> rank_polynomials(std::span<const double> values,
                                     std::span<const double> weights) {
  std::vector<double> ranks(values.size());
  RankPowers powers;
  RankedRows(values, weights).for_each_value([&](const auto& rows, double rank, double share) {
    powers.add(rank, share);
    for (const std::size_t row : rows) ranks[row] = rank;
  });
  const std::vector<RankPolynomial> polynomials = powers.polynomials();
  std::vector<double> functions(polynomials.size() * values.size());
  double* to = functions.data();
  for (const RankPolynomial& own : polynomials) {
    to = std::transform(ranks.begin(), ranks.end(), to, own);
  }
  return functions;
}

bool is_real(const Design& design, std::size_t feature) {
  const DesignFeature& columns = design.features[feature];
  if (columns.last != columns.first + 1) return false;
  const DesignColumn& column = design.columns[columns.first];
  return !column.two_valued && !column.level;
}

bool is_real(const SupervisedData& data, std::size_t feature) {
  return is_real(data.design, feature);
}

bool any_real(const SupervisedData& data) {
  return std::any_of(data.features.begin(), data.features.end(),
                     [&](std::size_t feature) { return is_real(data, feature); });
}

// Every feature has room for as many columns as it may have; what is not needed is closed up after.
SupervisedData with_curves(const SupervisedData& data, bool ranked, const PolynomialsMade& made) {
  const std::size_t rows = data.rows();
  const Block all = whole_table(*data.source);
  SupervisedData with = without_columns(data);
  const std::size_t count = data.design.features.size();
  std::vector<std::size_t> room(count + 1);
  for (std::size_t f = 0; f < count; ++f) {
    const DesignFeature& columns = data.design.features[f];
    room[f + 1] =
        room[f] + columns.last - columns.first + (is_real(data, f) ? curves_of_feature : 0);
  }
  with.standardised = Buffer(rows * room.back());
  in_parallel(count, [&](std::size_t f) {
    double* const to = with.standardised.data() + rows * room[f];
    const DesignFeature& columns = data.design.features[f];
    std::copy(data.column(columns.first), data.column(columns.last), to);
    if (!is_real(data, f)) return;
    const std::vector<double> polynomials = rank_polynomials(all.column(f), all.weights);
    if (made) made(f, polynomials);
    if (polynomials.empty()) return;
    std::copy(polynomials.begin() + (ranked ? 0 : static_cast<std::ptrdiff_t>(rows)),
              polynomials.end(), to + (ranked ? 0 : rows));
    with.curves[f] = polynomials.size() / rows - 1;
  });

  for (std::size_t f = 0; f < count; ++f) {
    const DesignFeature& from = data.design.features[f];
    const std::size_t first = with.design.columns.size();
    const auto own = data.design.columns.begin() + static_cast<std::ptrdiff_t>(from.first);
    with.design.columns.insert(with.design.columns.end(), own,
                               own + static_cast<std::ptrdiff_t>(from.last - from.first));
    if (with.curves[f] > 0) {  // then it has a column of its own
      with.design.columns.resize(with.design.columns.size() + with.curves[f], *own);
    }
    const std::size_t last = with.design.columns.size();
    with.design.features[f].first = first;
    with.design.features[f].last = last;
    if (first == room[f]) continue;
    const double* const made_at = with.standardised.data() + rows * room[f];
    std::copy_n(made_at, rows * (last - first), with.standardised.data() + rows * first);
  }
  return with;
}

Label with_normal_scores(Label label) {
  if (label.classification) return label;
  for (double& value : label.numbers = centred_ranks(label.numbers, label.weights)) {
    value = normal_quantile((1 + value) / 2);
  }
  return label;
}

}  // namespace fsieve::data
