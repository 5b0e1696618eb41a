#include "data/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "fsieve/error.h"
#include "source/row_error.h"
#include "stats/fold.h"
#include "stats/moments.h"

namespace fsieve::inline data {
namespace {

void add_numeric(const Column& column, const NumericMoments& m, std::size_t position,
                 Design& design) {
  DesignFeature& feature = design.features[position];
  if (m.low == m.high) {
    feature.constant = true;
    feature.constant_value = m.low;
    return;
  }
  feature.variance = m.squares / design.weight;
  const double deviation = std::sqrt(feature.variance);
  if (!std::isfinite(deviation) || deviation < std::numeric_limits<double>::min()) {
    throw Error(fmt::format("column \"{}\": its values are too {} to be standardised; rescale it",
                            column.name, std::isfinite(deviation) ? "small" : "large"));
  }
  design.columns.push_back(
      {column.name, position, std::nullopt, m.mean, deviation, m.distinct == 2, m.low});
  design.columns.back().filled = column.filled;
}

void add_indicators(const Column& column, const std::vector<double>& counts, std::size_t position,
                    Design& design) {
  DesignFeature& feature = design.features[position];
  const auto occurs = [](double count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), occurs) - counts.begin();
  feature.constant_value = static_cast<double>(first);
  for (auto level = static_cast<std::size_t>(first) + 1; level < counts.size(); ++level) {
    if (counts[level] == 0) continue;
    const double share = counts[level] / design.weight;
    const double variance = share * (1 - share);
    feature.variance = std::max(feature.variance, variance);
    design.columns.push_back({fmt::format("{}={}", column.name, column.levels[level]), position,
                              level, share, std::sqrt(variance), true, 0.0});
  }
  feature.constant = design.columns.size() == feature.first;
}

}  // namespace

Design make_design(const Source& source, Progress& progress) {
  return make_design(source.schema(), source.rows(),
                     fold(source, Moments(source.schema()), "means and variances", progress));
}

Design make_design(const Schema& schema, std::size_t rows, const Moments& moments) {
  if (moments.rows() < 2 && moments.weight() < 2) {
    throw Error(
        fmt::format("{} row of data: nothing can be said of fewer than two", moments.rows()));
  }
  Design design;
  design.rows = rows;
  design.weight = moments.weight();
  design.dimensions = moments.rows();
  design.features.resize(schema.features.size());
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    design.features[j].first = design.columns.size();
    if (schema.features[j].kind == ColumnKind::numeric) {
      add_numeric(schema.features[j], moments.numeric(j), j, design);
    } else {
      add_indicators(schema.features[j], moments.counts(j), j, design);
    }
    design.features[j].last = design.columns.size();
  }
  return design;
}

void check_names(const Design& design, const Schema& schema) {
  std::map<std::string_view, const DesignColumn*> indicators;
  for (const DesignColumn& column : design.columns) {
    if (column.level) indicators[column.name] = &column;
  }
  for (const Column& column : schema.features) {
    const auto same = indicators.find(column.name);
    if (same == indicators.end()) continue;
    const Column& category = schema.features[same->second->feature];
    throw Error(
        fmt::format("column \"{}\": equations call the level \"{}\" of \"{}\" so; rename one "
                    "of the two columns, or leave it out",
                    column.name, category.levels[*same->second->level], category.name));
  }
}

void Design::evaluate(const Block& block, std::size_t row, std::span<double> out,
                      const DesignColumn& column) const {
  const DerivedColumn& derived = *column.derived;
  std::vector<std::vector<double>> values;
  for (const std::size_t c : derived.arguments) {
    double* to = values.emplace_back(out.size()).data();
    if (derived.standardised) {
      standardised(block, row, out.size(), c, to);
    } else {
      original(block, row, out.size(), c, to);
    }
  }
  derived.function.evaluate(values[0], values.size() > 1 ? values[1] : std::span<const double>{},
                            out);
  // A row of weight 0 is as good as absent, whatever the function says there.
  for (std::size_t i = 0; i < out.size() && !block.weights.empty(); ++i) {
    if (block.weights[row + i] == 0) out[i] = 0;
  }
  const auto bad =
      std::find_if_not(out.begin(), out.end(), [](double v) { return std::isfinite(v); });
  if (bad == out.end()) return;
  const auto i = static_cast<std::size_t>(bad - out.begin());
  std::string where = fmt::format("a = {} ({})", values[0][i], columns[derived.arguments[0]].name);
  if (values.size() > 1) {
    where += fmt::format(", b = {} ({})", values[1][i], columns[derived.arguments[1]].name);
  }
  throw RowError(
      "", block.first_row + row + i,
      fmt::format(": the function {} is not a finite number at {}", derived.function.text, where));
}

void Design::original(const Block& block, std::size_t row, std::size_t count, std::size_t c,
                      double* out) const {
  const DesignColumn& column = columns[c];
  if (column.derived) return evaluate(block, row, {out, count}, column);
  const double* in = block.column(column.feature).data() + row;
  if (!column.level) {
    std::copy(in, in + count, out);
    return;
  }
  const auto level = static_cast<double>(*column.level);
  for (std::size_t i = 0; i < count; ++i) out[i] = in[i] == level ? 1.0 : 0.0;
}

void Design::standardised(const Block& block, std::size_t row, std::size_t count, std::size_t c,
                          double* out) const {
  const DesignColumn& column = columns[c];
  if (column.derived) return evaluate(block, row, {out, count}, column);
  const double* in = block.column(column.feature).data() + row;
  const double mean = column.mean;
  const double deviation = column.deviation;
  if (!column.level) {
    for (std::size_t i = 0; i < count; ++i) out[i] = (in[i] - mean) / deviation;
    return;
  }
  const auto level = static_cast<double>(*column.level);
  const double inside = (1 - mean) / deviation;
  const double outside = -mean / deviation;
  for (std::size_t i = 0; i < count; ++i) out[i] = in[i] == level ? inside : outside;
}

}  // namespace fsieve::data
