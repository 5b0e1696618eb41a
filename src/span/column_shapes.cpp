#include "span/column_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/binary_lists.h"
#include "base/log_gamma.h"
#include "base/parallel.h"

namespace fsieve::inline span {
namespace {

// So many different values can be arranged in more ways than any equation is chosen from: 64! is
// about e^205.
constexpr std::size_t few_values = 64;

constexpr double choose[5][5] = {
    {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};

// Σ (a·z + b)^k for k = 0 … 4 of those with a = 1, b = 0.
std::array<double, 5> moved(const std::array<double, 5>& sums, double a, double b) {
  std::array<double, 5> result{};
  for (std::size_t k = 0; k < sums.size(); ++k) {
    for (std::size_t i = 0; i <= k; ++i) {
      result[k] += choose[k][i] * std::pow(a, static_cast<double>(i)) *
                   std::pow(b, static_cast<double>(k - i)) * sums[i];
    }
  }
  return result;
}

}  // namespace

ColumnShapes::ColumnShapes(std::vector<double> shift, std::vector<double> scale)
    : shift_(std::move(shift)), scale_(std::move(scale)), shapes_(shift_.size()) {}

void ColumnShapes::Shape::count(double value, double weight) {
  if (many) return;
  const auto place = std::lower_bound(
      counts.begin(), counts.end(), value,
      [](const std::pair<double, double>& entry, double wanted) { return entry.first < wanted; });
  if (place != counts.end() && place->first == value) {
    place->second += weight;
    return;
  }
  counts.insert(place, {value, weight});
  if (counts.size() <= few_values) return;
  many = true;
  counts.clear();
}

void ColumnShapes::add(const Block& block) {
  in_parallel(shapes_.size(), [&](std::size_t j) {
    const auto column = block.column(j);
    Shape& shape = shapes_[j];
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double weight = block.weights.empty() ? 1 : block.weights[i];
      if (weight == 0) continue;
      const double z = (column[i] - shift_[j]) / scale_[j];
      double power = weight;
      for (double& sum : shape.sums) {
        sum += power;
        power *= z;
      }
      shape.count(column[i], weight);
    }
  });
}

void ColumnShapes::merge(const ColumnShapes& other) {
  for (std::size_t j = 0; j < shapes_.size(); ++j) {
    Shape& shape = shapes_[j];
    const Shape& from = other.shapes_[j];
    const auto sums =
        moved(from.sums, other.scale_[j] / scale_[j], (other.shift_[j] - shift_[j]) / scale_[j]);
    for (std::size_t k = 0; k < powers; ++k) shape.sums[k] += sums[k];
    for (const auto& [value, weight] : from.counts) shape.count(value, weight);
    if (!from.many) continue;
    shape.many = true;
    shape.counts.clear();
  }
}

void ColumnShapes::save(std::ostream& out) const {
  for (const Shape& shape : shapes_) {
    save_values(out, shape.sums);
    save_flag(out, shape.many);
    save_count(out, shape.counts.size());
    for (const auto& [value, weight] : shape.counts) {
      save_value(out, value);
      save_value(out, weight);
    }
  }
}

void ColumnShapes::load(std::istream& in) {
  for (Shape& shape : shapes_) {
    load_values(in, shape.sums);
    shape.many = load_flag(in);
    shape.counts.clear();
    load_each(in, [&] {
      auto& [value, weight] = shape.counts.emplace_back();
      load_value(in, value);
      load_value(in, weight);
    });
  }
}

std::size_t ColumnShapes::bytes() const {
  return shapes_.size() * (sizeof(Shape) + few_values * sizeof(shapes_[0].counts[0]));
}

double ColumnShapes::carriers(std::size_t column, double mean) const {
  const auto sums = moved(shapes_[column].sums, 1, (shift_[column] - mean) / scale_[column]);
  return sums[4] > 0 ? sums[2] * sums[2] / sums[4] : 0;
}

double ColumnShapes::usual_rows(std::size_t column) const {
  double most = 0;
  for (const auto& [value, weight] : shapes_[column].counts) most = std::max(most, weight);
  return most;
}

double ColumnShapes::log_arrangements(std::size_t column) const {
  const Shape& shape = shapes_[column];
  const double rows = shape.sums[0];
  if (shape.many || 2 * static_cast<double>(shape.counts.size()) > rows) {
    return std::numeric_limits<double>::infinity();
  }
  double log = log_factorial(rows);
  for (const auto& [value, weight] : shape.counts) log -= log_factorial(weight);
  return log;
}

}  // namespace fsieve::span
