#include "data/families.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "source/weights.h"
#include "source/whole_table.h"
#include "stats/normal.h"

namespace fsieve::inline data {
namespace {

constexpr std::size_t curves_of_feature = 2;

double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1 : weights[row];
}

// Takes the mean and the functions before it out of the last function; false where nothing is left.
bool make_orthonormal(std::size_t rows, std::span<const double> weights, double* functions,
                      std::size_t last) {
  double* own = functions + last * rows;
  const auto inner = [&](const double* other) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      sum += weight_of(weights, i) * own[i] * (other != nullptr ? other[i] : 1);
    }
    return sum;
  };
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) total += weight_of(weights, i);
  const double before = inner(own);
  for (int pass = 0; pass < 2; ++pass) {
    const double mean = inner(nullptr) / total;
    for (std::size_t i = 0; i < rows; ++i) own[i] -= mean;
    for (std::size_t k = 0; k < last; ++k) {
      const double* other = functions + k * rows;
      const double share = inner(other) / total;
      for (std::size_t i = 0; i < rows; ++i) own[i] -= share * other[i];
    }
  }
  const double left = inner(own);
  if (!(left > trivial_polynomial * before)) return false;
  const double scale = std::sqrt(total / left);
  for (std::size_t i = 0; i < rows; ++i) own[i] *= scale;
  return true;
}

}  // namespace

std::vector<double> centred_ranks(std::span<const double> values, std::span<const double> weights) {
  const std::size_t rows = values.size();
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) total += weight_of(weights, i);
  std::vector<double> ranks(rows);
  double below = 0;
  for (std::size_t first = 0; first < rows;) {
    std::size_t last = first;
    double equal = 0;
    for (; last < rows && values[order[last]] == values[order[first]]; ++last) {
      equal += weight_of(weights, order[last]);
    }
    for (std::size_t k = first; k < last; ++k) {
      ranks[order[k]] = 2 * (below + equal / 2) / total - 1;
    }
    below += equal;
    first = last;
  }
  return ranks;
}

std::vector<double> rank_polynomials(std::span<const double> values,
                                     std::span<const double> weights) {
  const std::size_t rows = values.size();
  const std::vector<double> ranks = centred_ranks(values, weights);
  std::vector<double> functions;
  functions.reserve(rows * (1 + curves_of_feature));
  std::size_t kept = 0;
  for (std::size_t degree = 1; degree <= 1 + curves_of_feature; ++degree) {
    functions.resize((kept + 1) * rows);
    double* own = functions.data() + kept * rows;
    for (std::size_t i = 0; i < rows; ++i) {
      own[i] = std::pow(ranks[i], static_cast<double>(degree));
    }
    if (make_orthonormal(rows, weights, functions.data(), kept)) ++kept;
  }
  functions.resize(kept * rows);
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

SupervisedData with_curves(const SupervisedData& data, bool ranked, const PolynomialsMade& made) {
  const std::size_t rows = data.rows();
  const Block all = whole_table(*data.source);
  const std::size_t count = data.design.features.size();
  std::vector<std::vector<double>> polynomials(count);
  in_parallel(count, [&](std::size_t f) {
    if (!is_real(data, f)) return;
    polynomials[f] = rank_polynomials(all.column(f), all.weights);
    if (made) made(f, polynomials[f]);
  });

  SupervisedData with = without_columns(data);
  std::vector<const double*> columns;
  for (std::size_t f = 0; f < count; ++f) {
    const DesignFeature& from = data.design.features[f];
    DesignFeature& to = with.design.features[f];
    to.first = columns.size();
    for (std::size_t c = from.first; c < from.last; ++c) {
      columns.push_back(ranked && !polynomials[f].empty() ? polynomials[f].data() : data.column(c));
      with.design.columns.push_back(data.design.columns[c]);
    }
    for (std::size_t k = 1; k * rows < polynomials[f].size(); ++k) {
      columns.push_back(polynomials[f].data() + k * rows);
      with.design.columns.push_back(data.design.columns[from.first]);
      ++with.curves[f];
    }
    to.last = columns.size();
  }
  with.standardised = Buffer(rows * columns.size());
  in_parallel(columns.size(), [&](std::size_t c) {
    std::copy_n(columns[c], rows, with.standardised.data() + c * rows);
  });
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
