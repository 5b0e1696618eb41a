// The label as the supervised methods see it.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fsieve/measure.h"
#include "fsieve/source.h"

namespace fsieve::inline data {

struct Label {
  bool classification = true;
  std::vector<std::string> classes;  // in their order: numeric where all are numbers, else bytes
  std::vector<std::size_t> codes;    // per row: position in classes (classification)
  // Per row: −1 and +1 for two classes, the number (regression).
  std::vector<double> numbers;
  std::size_t rows = 0;
  std::vector<double> weights;  // per row, none of them 0; empty: all 1
  std::vector<double> units;    // per class: what goes with a row that is left out; empty: all 1
  double weight = 0;            // of all rows together, the n of the formulas

  [[nodiscard]] double weight_of(std::size_t row) const {
    return weights.empty() ? 1 : weights[row];
  }
  // A weight says how many rows a row stands for; where classes are balanced, each of those rows
  // counts as much as its class makes it.
  [[nodiscard]] double unit_of(std::size_t row) const {
    return units.empty() ? 1 : units[codes[row]];
  }
  [[nodiscard]] double mean(std::span<const double> column) const;

  // Columns that are explained together, centred, one after another: the ±1 column for two
  // classes, the indicators of all classes for more, the number itself for regression.
  [[nodiscard]] std::vector<double> centred_columns() const;
  // The same, times √w.
  [[nodiscard]] std::vector<double> scaled_columns() const;
  [[nodiscard]] std::size_t columns() const {
    return classification && classes.size() > 2 ? classes.size() : 1;
  }
  // How many of these columns are independent.
  [[nodiscard]] std::size_t freedom() const {
    return classification && classes.size() > 2 ? classes.size() - 1 : 1;
  }
};

// Do so many numbers name classes rather than measure something? Two do, and up to 50 whole ones.
inline constexpr std::size_t most_numeric_classes = 50;
[[nodiscard]] bool looks_like_classes(const std::set<double>& values);

// Reads the label of a source in memory whose rows all have a weight. Task::automatic: a text label
// is classes; a numeric one is classes when it has two values, or at most 50 that are all whole
// numbers; else it is a number.
[[nodiscard]] Label read_label(const Source& source, Task task);

}  // namespace fsieve::data
