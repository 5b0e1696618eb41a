// Tables with a label, as the scorers take them.
#pragma once

#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "tables.h"

namespace fsieve::testing {

struct Loaded {
  std::unique_ptr<MemorySource> source;
  SupervisedData data;
};

inline Loaded load(const Columns& columns, const std::vector<double>& y, Task task,
                   const std::vector<std::size_t>& levels = {}) {
  const MemorySource features = table(columns, levels);
  Schema schema = features.schema();
  schema.label = Column{"y", columns.size(), ColumnKind::numeric, {}};
  std::vector<double> values(features.in_memory().begin(), features.in_memory().end());
  values.insert(values.end(), y.begin(), y.end());
  Loaded loaded;
  loaded.source = std::make_unique<MemorySource>(schema, values, y.size());
  NoProgress progress;
  loaded.data = make_supervised_data(*loaded.source, task, progress);
  return loaded;
}

// The table with its last column as the label.
inline MemorySource last_as_label(const Columns& columns) {
  const MemorySource all = table(columns);
  Schema schema = all.schema();
  schema.label = schema.features.back();
  schema.label->name = "y";
  schema.features.pop_back();
  return {std::move(schema), {all.in_memory().begin(), all.in_memory().end()}, all.rows()};
}

}  // namespace fsieve::testing
