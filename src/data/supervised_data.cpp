#include "data/supervised_data.h"

#include <utility>

#include "base/parallel.h"
#include "source/weights.h"
#include "source/whole_table.h"

namespace fsieve::inline data {

SupervisedData make_supervised_data(const Source& source, Task task, Progress& progress) {
  return make_supervised_data(source, read_label(source, task), progress);
}

SupervisedData make_supervised_data(const Source& source, Label label, Progress& progress) {
  SupervisedData data;
  data.source = &source;
  data.label = std::move(label);
  data.design = make_design(source, progress);
  for (std::size_t j = 0; j < data.design.features.size(); ++j) {
    if (!data.design.features[j].constant) data.features.push_back(j);
  }
  const Block all = whole_table(source);
  data.standardised = Buffer(source.rows() * data.design.columns.size());
  in_parallel(data.design.columns.size(), [&](std::size_t c) {
    data.design.standardised(all, 0, all.rows, c, data.standardised.data() + c * all.rows);
  });
  data.unit.assign(all.rows, 1.0);
  RootWeights(all.weights).scale(data.unit.data());
  return data;
}

SupervisedData without_columns(const SupervisedData& data) {
  SupervisedData same;
  same.source = data.source;
  same.label = data.label;
  same.features = data.features;
  same.unit = data.unit;
  same.balanced = data.balanced;
  same.design = data.design;
  same.design.columns.clear();
  same.curves.assign(data.design.features.size(), 0);
  return same;
}

}  // namespace fsieve::data
