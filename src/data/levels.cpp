#include "data/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/quantiles.h"
#include "fsieve/error.h"

namespace fsieve::inline data {
namespace {

std::span<const double> values_of(const SupervisedData& data, std::size_t feature) {
  return data.source->in_memory().subspan(feature * data.rows(), data.rows());
}

// Where bins begin, but for the first. A quantile that falls on the smallest value moves to the
// next larger one, so at least two bins are left.
std::vector<double> cuts_of(std::span<const double> values, std::span<const double> weights,
                            std::size_t bins) {
  const Quantiles quantiles = quantiles_of(values, weights, bins);
  double second = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (value > quantiles.smallest) second = std::min(second, value);
  }
  std::vector<double> cuts;
  for (const double start : quantiles.starts) {
    const double cut = start == quantiles.smallest ? second : start;
    if (cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
  }
  return cuts;
}

// Not one of several indicators, which have two values each.
bool is_two_valued(const SupervisedData& data, std::size_t feature) {
  const DesignFeature& columns = data.design.features[feature];
  return columns.last - columns.first == 1 && data.design.columns[columns.first].two_valued;
}

Levels two_levels_of(std::span<const double> values) {
  const double first = values.empty() ? 0 : values[0];
  const auto other =
      std::find_if(values.begin(), values.end(), [&](double value) { return value != first; });
  const double low = other == values.end() ? first : std::min(first, *other);
  Levels levels;
  levels.count = other == values.end() ? 1 : 2;
  levels.codes.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) levels.codes[i] = values[i] > low ? 1 : 0;
  return levels;
}

}  // namespace

bool is_discrete(const SupervisedData& data, std::size_t feature) {
  return data.source->schema().features[feature].kind == ColumnKind::categorical ||
         data.design.columns[data.design.features[feature].first].two_valued;
}

Levels levels_of(const SupervisedData& data, std::size_t feature, std::size_t bins) {
  const std::span<const double> values = values_of(data, feature);
  if (is_two_valued(data, feature)) return two_levels_of(values);
  std::vector<double> starts;  // of all levels but the first
  if (is_discrete(data, feature)) {
    std::vector<double> distinct(values.begin(), values.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    starts.assign(distinct.begin() + 1, distinct.end());
  } else {
    if (bins < 2) {
      throw Error(fmt::format("column \"{}\" is real-valued: it has no cells without bins",
                              data.source->schema().features[feature].name));
    }
    starts = cuts_of(values, data.source->weights(), bins);
  }
  Levels levels;
  levels.count = starts.size() + 1;
  levels.codes.reserve(values.size());
  if (levels.count == 2) {
    for (const double value : values) levels.codes.push_back(value >= starts[0] ? 1 : 0);
    return levels;
  }
  for (const double value : values) {
    const auto above = std::upper_bound(starts.begin(), starts.end(), value);
    levels.codes.push_back(static_cast<std::uint32_t>(above - starts.begin()));
  }
  return levels;
}

}  // namespace fsieve::data
