#include "page/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace fsieve::inline page {
namespace {

// Level positions, the most frequent first; of equals the first in byte order.
std::vector<std::size_t> by_frequency(std::size_t levels, std::span<const double> values) {
  std::vector<std::size_t> counts(levels);
  for (const double value : values) ++counts.at(static_cast<std::size_t>(value));
  std::vector<std::size_t> order(levels);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  while (!order.empty() && counts[order.back()] == 0) order.pop_back();
  return order;
}

Axis levels_axis(const Column& column, std::span<const double> values, std::size_t most) {
  Axis axis{column.name, true, {}, {}};
  std::vector<std::size_t> order = by_frequency(column.levels.size(), values);
  const bool others = order.size() > most;
  if (others) order.resize(most - 1);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> step_of(column.levels.size(), order.size());
  for (std::size_t step = 0; step < order.size(); ++step) {
    step_of[order[step]] = step;
    axis.labels.push_back(column.levels[order[step]]);
  }
  if (others) axis.labels.emplace_back("others");
  for (const double value : values) axis.step.push_back(step_of[static_cast<std::size_t>(value)]);
  return axis;
}

// The last values of all steps but the last one.
std::vector<double> cuts(std::vector<double> sorted, std::size_t most) {
  std::vector<double> found;
  for (std::size_t step = 1; step < most; ++step) {
    const double cut = sorted[sorted.size() * step / most];
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), cut);
    if (above == sorted.end()) break;
    if (found.empty() || cut > found.back()) found.push_back(cut);
  }
  return found;
}

Axis numbers_axis(const Column& column, std::span<const double> values, std::size_t most) {
  Axis axis{column.name, false, {}, {}};
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> different = sorted;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  const bool few = different.size() <= most;
  std::vector<double> ends = few ? different : cuts(sorted, most);
  if (few && !ends.empty()) ends.pop_back();
  for (const double value : values) {
    const auto step = std::lower_bound(ends.begin(), ends.end(), value) - ends.begin();
    axis.step.push_back(static_cast<std::size_t>(step));
  }
  if (few) {
    for (const double value : different) axis.labels.push_back(fmt::format("{:.4g}", value));
    return axis;
  }
  for (std::size_t step = 0; step <= ends.size(); ++step) {
    const double last = step < ends.size() ? ends[step] : sorted.back();
    axis.labels.push_back(step == 0             ? fmt::format("≤ {:.3g}", last)
                          : step == ends.size() ? fmt::format("> {:.3g}", ends.back())
                                                : fmt::format("… {:.3g}", last));
  }
  return axis;
}

}  // namespace

Axis make_axis(const Column& column, std::span<const double> values, std::size_t most) {
  return column.kind == ColumnKind::categorical ? levels_axis(column, values, most)
                                                : numbers_axis(column, values, most);
}

}  // namespace fsieve::page
