#include "measure/telling_columns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace fsieve::inline measure {
namespace {

// Copies in other units tell the same but for rounding.
constexpr double digits = 1e9;

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

// Of the variance of numbers: what lies between groups of rows.
template <class Group>
double between_groups(const Label& label, const double* numbers, const Group& group,
                      std::size_t groups) {
  const double mean = label.mean({numbers, label.rows});
  std::vector<double> sums(groups), weights(groups);
  double squares = 0;
  for (std::size_t i = 0; i < label.rows; ++i) {
    const double weight = label.weight_of(i);
    const double off = numbers[i] - mean;
    squares += weight * off * off;
    sums[group(i)] += weight * off;
    weights[group(i)] += weight;
  }
  double between = 0;
  for (std::size_t g = 0; g < groups; ++g) between += share(sums[g] * sums[g], weights[g]);
  return share(between, squares);
}

double squared_correlation(const Label& label, const double* numbers) {
  const double mean = label.mean({numbers, label.rows});
  const double label_mean = label.mean(label.numbers);
  double squares = 0, label_squares = 0, products = 0;
  for (std::size_t i = 0; i < label.rows; ++i) {
    const double weight = label.weight_of(i);
    const double off = numbers[i] - mean;
    const double label_off = label.numbers[i] - label_mean;
    squares += weight * off * off;
    label_squares += weight * label_off * label_off;
    products += weight * off * label_off;
  }
  return share(products / std::sqrt(squares) * products / std::sqrt(squares), label_squares);
}

// How often the class is right that is drawn among the rows of the same level.
double right_by_level(const Label& label, const double* levels, std::size_t count) {
  const std::size_t classes = label.classes.size();
  std::vector<double> cells(count * classes), weights(count);
  for (std::size_t i = 0; i < label.rows; ++i) {
    const auto level = static_cast<std::size_t>(levels[i]);
    cells[level * classes + label.codes[i]] += label.weight_of(i);
    weights[level] += label.weight_of(i);
  }
  double right = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    right += share(cells[k] * cells[k], weights[k / classes]);
  }
  return right / label.weight;
}

double told(const Label& label, const Column& column, const double* values) {
  const std::size_t levels = column.levels.size();
  if (levels > 0 && label.classification) return right_by_level(label, values, levels);
  if (levels > 0) {
    const auto level = [&](std::size_t i) { return static_cast<std::size_t>(values[i]); };
    return between_groups(label, label.numbers.data(), level, levels);
  }
  if (!label.classification) return squared_correlation(label, values);
  const auto code = [&](std::size_t i) { return label.codes[i]; };
  return between_groups(label, values, code, label.classes.size());
}

}  // namespace

std::vector<std::size_t> by_telling(const Source& source, const Label& label) {
  const std::vector<Column>& features = source.schema().features;
  std::vector<double> known(features.size());
  in_parallel(features.size(), [&](std::size_t j) {
    const double* values = source.in_memory().data() + j * source.rows();
    const double tells = std::round(told(label, features[j], values) * digits);
    known[j] = std::isfinite(tells) ? tells : 0;  // squares beyond what a number holds
  });
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return known[a] != known[b] ? known[a] > known[b] : features[a].name < features[b].name;
  });
  return order;
}

}  // namespace fsieve::measure
