#include "data/design_binary.h"

#include "base/binary_lists.h"

namespace fsieve::inline data {
namespace {

void save_place(std::ostream& out, std::size_t place) {
  save_value(out, static_cast<std::uint64_t>(place));
}

std::size_t load_place(std::istream& in) {
  std::uint64_t place = 0;
  load_value(in, place);
  return place;
}

void save_derived(std::ostream& out, const DerivedColumn& derived) {
  save_text(out, derived.function.text);
  save_count(out, derived.arguments.size());
  for (const std::size_t argument : derived.arguments) save_place(out, argument);
  save_flag(out, derived.standardised);
}

DerivedColumn load_derived(std::istream& in) {
  DerivedColumn derived;
  derived.function = parse_function(load_text(in));
  load_each(in, [&] { derived.arguments.push_back(load_place(in)); });
  derived.standardised = load_flag(in);
  return derived;
}

void save_column(std::ostream& out, const DesignColumn& column) {
  save_text(out, column.name);
  save_place(out, column.feature);
  save_flag(out, column.level.has_value());
  save_place(out, column.level.value_or(0));
  for (const double value : {column.mean, column.deviation, column.low}) save_value(out, value);
  save_flag(out, column.two_valued);
  save_flag(out, column.derived != nullptr);
  if (column.derived) save_derived(out, *column.derived);
  save_flag(out, column.filled.has_value());
  save_value(out, column.filled.value_or(0));
}

DesignColumn load_column(std::istream& in) {
  DesignColumn column{load_text(in), load_place(in), std::nullopt};
  const bool has_level = load_flag(in);
  const std::size_t level = load_place(in);
  if (has_level) column.level = level;
  for (double* const value : {&column.mean, &column.deviation, &column.low}) {
    load_value(in, *value);
  }
  column.two_valued = load_flag(in);
  if (load_flag(in)) column.derived = std::make_shared<const DerivedColumn>(load_derived(in));
  const bool filled = load_flag(in);
  double fill = 0;
  load_value(in, fill);
  if (filled) column.filled = fill;
  return column;
}

void save_feature(std::ostream& out, const DesignFeature& feature) {
  save_place(out, feature.first);
  save_place(out, feature.last);
  save_flag(out, feature.constant);
  save_value(out, feature.constant_value);
  save_value(out, feature.variance);
}

DesignFeature load_feature(std::istream& in) {
  DesignFeature feature;
  feature.first = load_place(in);
  feature.last = load_place(in);
  feature.constant = load_flag(in);
  load_value(in, feature.constant_value);
  load_value(in, feature.variance);
  return feature;
}

}  // namespace

void save_design(std::ostream& out, const Design& design) {
  save_place(out, design.rows);
  save_value(out, design.weight);
  save_place(out, design.dimensions);
  save_count(out, design.columns.size());
  for (const DesignColumn& column : design.columns) save_column(out, column);
  save_count(out, design.features.size());
  for (const DesignFeature& feature : design.features) save_feature(out, feature);
}

Design load_design(std::istream& in) {
  Design design;
  design.rows = load_place(in);
  load_value(in, design.weight);
  design.dimensions = load_place(in);
  load_each(in, [&] { design.columns.push_back(load_column(in)); });
  load_each(in, [&] { design.features.push_back(load_feature(in)); });
  return design;
}

}  // namespace fsieve::data
