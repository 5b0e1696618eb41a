#include "methods/union/sign_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/bit_split.h"
#include "bits/column_values.h"
#include "source/known_table.h"
#include "source/parted_source.h"
#include "stats/fold.h"
#include "stats/moments.h"

namespace fsieve::inline methods {
namespace {

// Numbers that can be standardised whatever the others are; what else there is, make_design judges.
bool is_plain(const FewValues& seen) {
  constexpr double most = 1e100;
  return seen.distinct == 1 ||
         (seen.distinct == 2 && std::abs(seen.low()) < most && std::abs(seen.high()) < most &&
          seen.high() - seen.low() > 1 / most);
}

bool may_be_signs(const Source& source, Task task) {
  const std::vector<Column>& features = source.schema().features;
  return source.schema().label && task != Task::regression && source.weights().empty() &&
         source.rows() > 1 && machines_of(source) == nullptr &&
         std::all_of(features.begin(), features.end(),
                     [](const Column& column) { return column.kind == ColumnKind::numeric; });
}

// What the columns hold, and the label's numbers; none where a feature has more than two values.
struct SeenTable {
  ColumnValues values;
  std::vector<double> label;
};

std::optional<SeenTable> look_at(const Source& source, Progress& progress) {
  const std::size_t features = source.schema().features.size();
  SeenTable seen{ColumnValues(source.schema(), true), {}};
  seen.label.reserve(source.rows());
  progress.begin("values", source.rows());
  const auto reader = source.open();
  Block block;
  while (reader->next(block)) {
    stop_if_asked();
    seen.values.add(block);
    for (std::size_t j = 0; j < features; ++j) {
      if (seen.values.numeric(j).distinct > 2) return std::nullopt;
    }
    const auto label = block.column(features);
    seen.label.insert(seen.label.end(), label.begin(), label.end());
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
  for (std::size_t j = 0; j < features; ++j) {
    if (!is_plain(seen.values.numeric(j))) return std::nullopt;
  }
  return seen;
}

Label label_of(const Source& source, std::vector<double> values, Task task) {
  Schema schema;
  schema.label = source.schema().label;
  return read_label(*known_table(std::move(schema), std::move(values), source.rows()), task);
}

Design design_of(const Source& source, const ColumnValues& values) {
  Design design;
  design.rows = design.dimensions = source.rows();
  design.weight = static_cast<double>(source.rows());
  design.features.resize(source.schema().features.size());
  for (std::size_t j = 0; j < design.features.size(); ++j) {
    const FewValues& seen = values.numeric(j);
    DesignFeature& feature = design.features[j];
    feature.first = design.columns.size();
    feature.constant = seen.distinct == 1;
    if (feature.constant) {
      feature.constant_value = seen.low();
    } else {
      design.columns.push_back(
          {source.schema().features[j].name, j, std::nullopt, 0, 0, true, seen.low()});
    }
    feature.last = design.columns.size();
  }
  return design;
}

}  // namespace

std::optional<SignTable> SignTable::read(const Source& source, Task task, Progress& progress) {
  if (!may_be_signs(source, task)) return std::nullopt;
  std::optional<SeenTable> seen = look_at(source, progress);
  if (!seen) return std::nullopt;
  SignTable table;
  SupervisedData& data = table.data;
  data.label = label_of(source, std::move(seen->label), task);
  if (!data.label.classification || data.label.classes.size() != 2) return std::nullopt;
  data.source = &source;
  data.design = design_of(source, seen->values);
  for (const DesignColumn& column : data.design.columns) data.features.push_back(column.feature);
  if (data.features.size() < 2) return std::nullopt;
  const std::vector<std::uint8_t> codes(data.label.codes.begin(), data.label.codes.end());
  const auto second = static_cast<std::uint32_t>(std::accumulate(codes.begin(), codes.end(), 0UL));
  table.order = ClassSegments({static_cast<std::uint32_t>(source.rows()) - second, second});
  table.bits = BitStore(data.features.size(), table.order.words);
  BitSplit split(table.order);
  split.go_on(codes);
  in_parallel(data.features.size(), [&](std::size_t j) {
    split.add(seen->values.numeric(data.features[j]).high_bits(), table.bits.column(j));
  });
  return table;
}

SupervisedData SignTable::with_columns_of(const std::vector<std::size_t>& features,
                                          Progress& progress) const {
  const Source& source = *data.source;
  Schema schema;
  for (const std::size_t j : features) schema.features.push_back(source.schema().features[j]);
  SupervisedData chosen;
  chosen.source = &source;
  chosen.label = data.label;
  chosen.features.resize(features.size());
  std::iota(chosen.features.begin(), chosen.features.end(), std::size_t{0});
  chosen.design =
      make_design(schema, source.rows(),
                  fold(source, Moments(schema, features), "means and variances", progress));
  chosen.standardised = Buffer(source.rows() * features.size());
  const auto reader = source.open();
  Block block;
  Block few;
  while (reader->next(block)) {
    few.rows = few.stride = block.rows;
    few.storage.resize(block.rows * features.size());
    few.values = few.storage.data();
    for (std::size_t c = 0; c < features.size(); ++c) {
      const auto column = block.column(features[c]);
      std::copy(column.begin(), column.end(), few.storage.data() + c * block.rows);
      chosen.design.standardised(few, 0, block.rows, c,
                                 chosen.standardised.data() + c * source.rows() + block.first_row);
    }
  }
  chosen.unit.assign(source.rows(), 1.0);
  return chosen;
}

}  // namespace fsieve::methods
