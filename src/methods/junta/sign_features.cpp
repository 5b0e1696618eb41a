#include "methods/junta/sign_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/column_values.h"
#include "data/class_order.h"
#include "data/medians.h"
#include "data/sign_bits.h"
#include "fsieve/error.h"
#include "methods/junta/sign_sums.h"
#include "source/parted_source.h"
#include "stats/fold.h"
#include "stats/moments.h"

namespace fsieve::inline methods {
namespace {

constexpr std::size_t most_names = 5;

std::vector<std::size_t> occurring(const std::vector<std::uint64_t>& counts) {
  std::vector<std::size_t> levels;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) levels.push_back(k);
  }
  return levels;
}

SignFeature feature_of(const Column& column, std::size_t position) {
  SignFeature feature;
  feature.described.name = feature.described.column = column.name;
  feature.described.index = column.index;
  if (column.pooled) feature.described.pooled = column.levels[*column.pooled];
  feature.position = position;
  return feature;
}

SignFeature two_numbers(const Column& column, std::size_t position, const FewValues& seen) {
  SignFeature feature = feature_of(column, position);
  feature.described.low = seen.low();
  feature.described.high = seen.high();
  feature.mark = seen.high();
  feature.high = seen.rows_high();
  if (seen.distinct == 2) feature.high_bits = seen.high_bits();
  return feature;
}

SignFeature two_levels(const Column& column, std::size_t position,
                       const std::vector<std::uint64_t>& rows, std::size_t low, std::size_t high) {
  if (value_before(column.levels[high], column.levels[low])) std::swap(low, high);
  SignFeature feature = feature_of(column, position);
  feature.described.low = column.levels[low];
  feature.described.high = column.levels[high];
  feature.mark = static_cast<double>(high);
  feature.high = rows[high];
  return feature;
}

SignFeature indicator(const Column& column, std::size_t position,
                      const std::vector<std::uint64_t>& rows, std::size_t level,
                      const std::vector<std::string>& levels) {
  SignFeature feature = feature_of(column, position);
  feature.described.name = fmt::format("{}={}", column.name, column.levels[level]);
  feature.described.low = 0.0;
  feature.described.high = 1.0;
  feature.described.level = column.levels[level];
  feature.described.levels = levels;
  feature.mark = static_cast<double>(level);
  feature.high = rows[level];
  return feature;
}

SignFeature cut_number(const Column& column, std::size_t position, double cut) {
  SignFeature feature = feature_of(column, position);
  feature.described.low = fmt::format("≤ {}", cut);
  feature.described.high = fmt::format("> {}", cut);
  feature.described.threshold = cut;
  feature.mark = cut;
  return feature;
}

// Something must be above the cut: where the median is the largest value, the next smaller one
// takes its place. Of the two zeros it is the plain one.
double median_cut(const Middle& middle) {
  const double median = middle.median();
  return (median < middle.largest ? median : middle.next) + 0.0;
}

// Of features that are cut: the values of the others were counted where they were found.
void count_high(const Source& source, std::vector<SignFeature>& features, Progress& progress) {
  std::vector<SignFeature*> cut;
  std::vector<SignTest> tests;
  for (SignFeature& feature : features) {
    if (!feature.described.threshold) continue;
    cut.push_back(&feature);
    tests.push_back(test_of(feature));
  }
  if (cut.empty()) return;
  const HighCounts counts = fold(source, HighCounts(std::move(tests)), "counting", progress);
  for (std::size_t k = 0; k < cut.size(); ++k) cut[k]->high = counts.count(k);
}

// `column "a"`, or `7 columns ("a", "b", …)`.
std::string listed(std::vector<std::string> names) {
  if (names.size() == 1) return "column " + names[0];
  const std::size_t count = names.size();
  names.resize(std::min(count, most_names));
  return fmt::format("{} columns ({}{})", count, fmt::join(names, ", "),
                     count > most_names ? ", …" : "");
}

// A constant has no deviation to divide by, and nothing to say.
void leave_out_constants(SignFeatures& all) {
  std::vector<std::string> constants;
  const auto is_constant = [&](const SignFeature& feature) {
    if (feature.high > 0 && feature.high < all.rows) return false;
    constants.push_back(fmt::format("\"{}\"", feature.described.name));
    return true;
  };
  all.features.erase(std::remove_if(all.features.begin(), all.features.end(), is_constant),
                     all.features.end());
  if (constants.empty()) return;
  const bool one = constants.size() == 1;
  all.warnings.push_back(fmt::format("{} {} one value only and {} left out",
                                     listed(std::move(constants)), one ? "has" : "have",
                                     one ? "is" : "are"));
}

void warn_of_cuts(std::vector<std::string> names, std::vector<std::string>& warnings) {
  if (names.empty()) return;
  const bool one = names.size() == 1;
  warnings.push_back(fmt::format(
      "{} {} more than two values and {} cut in two at the median (--binarize says where to cut)",
      listed(std::move(names)), one ? "has" : "have", one ? "is" : "are"));
}

void add_moments(SignFeatures& all) {
  for (SignFeature& feature : all.features) {
    const auto low = static_cast<std::int64_t>(all.rows - feature.high);
    feature.described.mean = sign_mean(low, all.rows);
    feature.described.deviation = sign_deviation(low, all.rows);
  }
}

}  // namespace

bool value_before(const std::string& a, const std::string& b) {
  return a != b && class_order({a, b}).front() == 0;
}

SignFeatures make_sign_features(const Source& source, Cut how, double cut, bool keep_bits,
                                Progress& progress) {
  const Schema& schema = source.schema();
  if (source.rows() < 2) {
    throw Error(
        fmt::format("{} row of data: nothing can be said of fewer than two", source.rows()));
  }
  const ColumnValues seen = fold(source, ColumnValues(schema, keep_bits), "values", progress);
  std::optional<Moments> moments;
  SignFeatures all;
  all.rows = source.rows();
  std::vector<std::size_t> real;  // places in all.features of those that are cut at their median
  std::vector<std::size_t> real_positions;
  std::vector<std::string> unasked;  // names of those that are cut although nobody said so
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    const Column& column = schema.features[j];
    if (column.kind == ColumnKind::categorical) {
      const std::vector<std::uint64_t>& rows = seen.levels(j);
      const std::vector<std::size_t> levels = occurring(rows);
      if (levels.size() <= 2) {
        all.features.push_back(two_levels(column, j, rows, levels.front(), levels.back()));
        continue;
      }
      std::vector<std::string> names;
      names.reserve(levels.size());
      for (const std::size_t level : levels) names.push_back(column.levels[level]);
      for (std::size_t k = 1; k < levels.size(); ++k) {
        all.features.push_back(indicator(column, j, rows, levels[k], names));
      }
      continue;
    }
    if (seen.numeric(j).distinct <= 2) {
      all.features.push_back(two_numbers(column, j, seen.numeric(j)));
      continue;
    }
    if (how == Cut::none) unasked.push_back(fmt::format("\"{}\"", column.name));
    if (how == Cut::none || how == Cut::median) {
      real.push_back(all.features.size());
      real_positions.push_back(j);
    }
    if (how == Cut::mean && !moments) moments = fold(source, Moments(schema), "means", progress);
    all.features.push_back(
        cut_number(column, j, how == Cut::mean ? moments->numeric(j).mean : cut));
  }
  if (!real.empty()) {
    const std::vector<Middle> middles = middles_of(source, real_positions);
    for (std::size_t k = 0; k < real.size(); ++k) {
      const std::size_t j = real_positions[k];
      all.features[real[k]] = cut_number(schema.features[j], j, median_cut(middles[k]));
    }
  }
  count_high(source, all.features, progress);
  warn_of_cuts(std::move(unasked), all.warnings);
  leave_out_constants(all);
  add_moments(all);
  return all;
}

namespace {

// The values of the label where its rows lie elsewhere.
std::vector<double> label_values(const Source& source, Progress& progress) {
  const std::size_t position = source.schema().features.size();
  const ColumnValues seen =
      fold(source, ColumnValues(source.schema()), "reading the label", progress);
  if (source.schema().label->kind == ColumnKind::categorical) {
    const std::vector<std::size_t> levels = occurring(seen.levels(position));
    return {levels.begin(), levels.end()};
  }
  const FewValues& label = seen.numeric(position);
  std::vector<double> values(label.values.begin(),
                             label.values.begin() + std::min(label.distinct, 2));
  if (label.distinct > 2) values.push_back(HUGE_VAL);
  return values;
}

std::vector<std::uint8_t> label_codes(const Source& source, double second, Progress& progress) {
  const SignTest test{source.schema().features.size(), second, false};
  const PackedRows packed = fold(source, PackedRows({test}), "reading the label", progress);
  std::vector<std::uint8_t> codes(packed.rows());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = packed.bit(0, i) ? 1 : 0;
  return codes;
}

}  // namespace

SignLabel read_sign_label(const Source& source, Progress& progress) {
  const Schema& schema = source.schema();
  if (!schema.label) throw Error("no label column was named");
  const Column& column = *schema.label;
  const std::size_t position = schema.features.size();
  const auto wrong = [&](const std::string& what) {
    throw Error(fmt::format("label \"{}\" {}", column.name, what));
  };
  progress.begin("reading the label", source.rows());
  SignLabel label;
  label.name = column.name;
  std::vector<double> distinct;  // in the order they occur
  const auto check_few = [&] {
    if (distinct.size() > 2) wrong("has more than two values: learn needs two classes");
  };
  if (!rows_are_here(source)) {
    distinct = label_values(source, progress);
    check_few();
    if (distinct.size() == 2) label.codes = label_codes(source, distinct[1], progress);
  } else {
    const auto reader = source.open();
    Block block;
    while (reader->next(block)) {
      stop_if_asked();
      for (const double value : block.column(position)) {
        const auto found = std::find(distinct.begin(), distinct.end(), value);
        label.codes.push_back(static_cast<std::uint8_t>(found - distinct.begin()));
        if (found != distinct.end()) continue;
        distinct.push_back(value);
        check_few();
      }
      progress.advance(block.first_row + block.rows);
    }
  }
  progress.end();
  const bool numeric = column.kind == ColumnKind::numeric;
  const auto name = [&](double value) {
    return numeric ? fmt::format("{}", value) : column.levels[static_cast<std::size_t>(value)];
  };
  if (distinct.size() < 2) {
    wrong(fmt::format("has one class only (\"{}\"): there is nothing to predict",
                      distinct.empty() ? "" : name(distinct[0])));
  }
  label.classes = {name(distinct[0]), name(distinct[1])};
  const bool swapped =
      numeric ? distinct[1] < distinct[0] : value_before(label.classes[1], label.classes[0]);
  if (swapped) {
    std::swap(label.classes[0], label.classes[1]);
    for (std::uint8_t& code : label.codes) code ^= 1U;
  }
  return label;
}

}  // namespace fsieve::methods
