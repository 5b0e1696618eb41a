#include "data/label.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "data/class_order.h"
#include "fsieve/error.h"
#include "source/weights.h"

namespace fsieve::inline data {
namespace {

// Squares of the numbers, and sums of these, must be numbers.
void check_size(const std::string& name, std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  constexpr double most = 1e140;
  if (largest <= most && largest >= 1 / most) return;
  throw Error(
      fmt::format("label \"{}\" has numbers of up to {:.3g}, whose squares cannot be told: give it "
                  "in another unit",
                  name, largest));
}

Label numeric_label(const std::string& name, std::span<const double> values, Task task) {
  Label label;
  label.rows = values.size();
  const std::set<double> distinct(values.begin(), values.end());
  label.classification =
      task == Task::automatic ? looks_like_classes(distinct) : task == Task::classification;
  if (distinct.size() < 2) {
    throw Error(fmt::format("label \"{}\" has one value only: there is nothing to predict", name));
  }
  if (!label.classification) {
    check_size(name, values);
    label.numbers.assign(values.begin(), values.end());
    return label;
  }
  std::map<double, std::size_t> code;
  for (const double value : distinct) {
    code[value] = label.classes.size();
    label.classes.push_back(fmt::format("{}", value));
  }
  for (const double value : values) label.codes.push_back(code[value]);
  return label;
}

Label text_label(const Column& column, std::span<const double> codes, Task task) {
  if (task == Task::regression) {
    throw Error(
        fmt::format("label \"{}\" is text: it cannot be the number of a regression", column.name));
  }
  Label label;
  label.rows = codes.size();
  if (column.levels.size() < 2) {
    throw Error(fmt::format(R"(label "{}" has one class only ("{}"): there is nothing to predict)",
                            column.name, column.levels.empty() ? "" : column.levels[0]));
  }
  const std::vector<std::size_t> order = class_order(column.levels);
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    label.classes.push_back(column.levels[order[k]]);
  }
  for (const double code : codes) label.codes.push_back(place[static_cast<std::size_t>(code)]);
  return label;
}

// Every class is a column over the rows: an identifier as label would fill any memory.
void check_classes(const std::string& name, const Label& label) {
  constexpr double most_cells = 512e6;  // 4 GB
  const auto classes = static_cast<double>(label.classes.size());
  if (classes * static_cast<double>(label.rows) <= most_cells) return;
  throw Error(
      fmt::format("label \"{}\" has {} classes in {} rows, too many to tell apart: "
                  "--task regression takes a number as it is",
                  name, label.classes.size(), label.rows));
}

}  // namespace

bool looks_like_classes(const std::set<double>& values) {
  if (values.size() <= 2) return true;
  return values.size() <= most_numeric_classes &&
         std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
}

double Label::mean(std::span<const double> column) const {
  double sum = 0;
  if (weights.empty()) {
    for (const double value : column) sum += value;
  } else {
    for (std::size_t i = 0; i < column.size(); ++i) sum += weights[i] * column[i];
  }
  return sum / weight;
}

std::vector<double> Label::centred_columns() const {
  std::vector<double> values(rows * columns());
  for (std::size_t c = 0; c < columns(); ++c) {
    double* column = values.data() + c * rows;
    for (std::size_t i = 0; i < rows; ++i) {
      column[i] = columns() > 1 ? (codes[i] == c ? 1.0 : 0.0) : numbers[i];
    }
    const double centre = mean({column, rows});
    for (std::size_t i = 0; i < rows; ++i) column[i] -= centre;
  }
  return values;
}

std::vector<double> Label::scaled_columns() const {
  std::vector<double> values = centred_columns();
  const RootWeights roots(weights);
  for (std::size_t c = 0; c < columns(); ++c) roots.scale(values.data() + c * rows);
  return values;
}

Label read_label(const Source& source, Task task) {
  const Schema& schema = source.schema();
  if (!schema.label) throw Error("no label column was named");
  const auto values =
      source.in_memory().subspan(schema.features.size() * source.rows(), source.rows());
  Label label = schema.label->kind == ColumnKind::numeric
                    ? numeric_label(schema.label->name, values, task)
                    : text_label(*schema.label, values, task);
  check_classes(schema.label->name, label);
  label.weights.assign(source.weights().begin(), source.weights().end());
  label.weight = label.weights.empty()
                     ? static_cast<double>(label.rows)
                     : std::accumulate(label.weights.begin(), label.weights.end(), 0.0);
  if (label.classification && label.classes.size() == 2) {
    for (const std::size_t code : label.codes) label.numbers.push_back(code == 0 ? -1.0 : 1.0);
  }
  return label;
}

}  // namespace fsieve::data
