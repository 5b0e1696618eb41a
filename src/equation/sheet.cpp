#include "equation/sheet.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stop.h"
#include "source/parted_source.h"
#include "span/span.h"

namespace fsieve::inline equation {
namespace {

// Row k of `count` evenly spaced ones among `rows`.
std::size_t spaced(std::size_t k, std::size_t count, std::size_t rows) { return k * rows / count; }

// Do whole weights stand for so few rows that each can be written out? Then the sheet is that of
// the repeated rows, and so is every level that counts them.
bool can_repeat(std::span<const double> weights, std::size_t most) {
  double total = 0;
  for (const double weight : weights) {
    if (weight != std::floor(weight)) return false;
    total += weight;
  }
  return !weights.empty() && total <= static_cast<double>(most);
}

}  // namespace

Sheet read_sheet(const Source& source, const Design& design, std::size_t most, Progress& progress) {
  const std::size_t count = std::min(most, source.rows());
  if (const Parts parts = parts_of(source); parts.source != nullptr) {  // only these rows come here
    std::vector<std::size_t> numbers(count);
    for (std::size_t k = 0; k < count; ++k) numbers[k] = spaced(k, count, source.rows());
    return read_sheet(*rows_at(parts, std::move(numbers), progress), design, most, progress);
  }
  const bool repeated = can_repeat(source.weights(), most);
  std::vector<std::vector<double>> columns(design.columns.size());
  for (auto& column : columns) column.reserve(count);
  std::vector<double> weights;
  std::vector<double> scratch;
  const auto reader = source.open();
  progress.begin("rows to look for relations on", source.rows());
  Block block;
  for (std::size_t next = 0; reader->next(block);) {
    const std::size_t end = block.first_row + block.rows;
    std::vector<std::size_t> rows;
    for (; next < count && spaced(next, count, source.rows()) < end; ++next) {
      const std::size_t row = spaced(next, count, source.rows()) - block.first_row;
      if (!block.weights.empty() && block.weights[row] == 0) continue;
      rows.insert(rows.end(), repeated ? static_cast<std::size_t>(block.weights[row]) : 1, row);
      if (!block.weights.empty() && !repeated) weights.push_back(block.weights[row]);
    }
    progress.advance(end);
    if (rows.empty()) continue;
    scratch.resize(block.rows);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      design.original(block, 0, block.rows, c, scratch.data());
      for (const std::size_t row : rows) columns[c].push_back(scratch[row]);
    }
  }
  progress.end();
  Sheet sheet;
  sheet.rows = columns.empty() ? 0 : columns[0].size();
  sheet.values.reserve(columns.size() * sheet.rows);
  for (const auto& column : columns) {
    stop_if_asked();
    sheet.values.insert(sheet.values.end(), column.begin(), column.end());
  }
  double total = 0;
  for (const double weight : weights) total += weight;
  for (const double weight : weights) {
    sheet.roots.push_back(std::sqrt(weight * static_cast<double>(weights.size()) / total));
  }
  return sheet;
}

Sheet thinned(const Sheet& sheet, std::size_t most) {
  Sheet thin;
  thin.rows = std::min(most, sheet.rows);
  thin.values.reserve(sheet.columns() * thin.rows);
  for (std::size_t c = 0; c < sheet.columns(); ++c) {
    stop_if_asked();
    for (std::size_t k = 0; k < thin.rows; ++k) {
      thin.values.push_back(sheet.column(c)[spaced(k, thin.rows, sheet.rows)]);
    }
  }
  double squares = 0;
  for (std::size_t k = 0; k < thin.rows && !sheet.roots.empty(); ++k) {
    thin.roots.push_back(sheet.roots[spaced(k, thin.rows, sheet.rows)]);
    squares += thin.roots.back() * thin.roots.back();
  }
  for (double& root : thin.roots) root *= std::sqrt(static_cast<double>(thin.rows) / squares);
  return thin;
}

std::vector<double> standardised(const Sheet& sheet, std::vector<double> columns,
                                 std::vector<double>& deviations) {
  const std::size_t n = sheet.rows;
  const std::size_t count = n == 0 ? 0 : columns.size() / n;
  deviations.assign(count, 0);
  for (std::size_t c = 0; c < count; ++c) {
    stop_if_asked();
    double* values = columns.data() + c * n;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      mean += values[i] * (sheet.roots.empty() ? 1 : sheet.roots[i] * sheet.roots[i]);
    }
    mean /= static_cast<double>(n);
    double squares = 0;
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(values[i]));
      values[i] -= mean;
      if (!sheet.roots.empty()) values[i] *= sheet.roots[i];
      squares += values[i] * values[i];
    }
    const double deviation = std::sqrt(squares / static_cast<double>(n));
    const bool varies = std::isfinite(deviation) && deviation > 1e-12 * largest;
    deviations[c] = varies ? deviation : 0;
    for (std::size_t i = 0; i < n; ++i) values[i] = varies ? values[i] / deviation : 0;
  }
  return columns;
}

std::vector<double> gram(std::size_t rows, const std::vector<double>& columns) {
  const std::size_t count = rows == 0 ? 0 : columns.size() / rows;
  std::vector<double> products = gram_of(rows, columns.data(), count);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = j; i < count; ++i) {
      products[i + j * count] /= static_cast<double>(rows);
      products[j + i * count] = products[i + j * count];
    }
  }
  return products;
}

}  // namespace fsieve::equation
