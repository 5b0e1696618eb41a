#include "methods/sampled_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "data/labelled_sample.h"
#include "data/whole_label.h"
#include "fsieve/error.h"
#include "source/sampled_rows.h"
#include "stats/fold.h"

namespace fsieve::inline methods {
namespace {

// The values of a label that a sample must not miss: classes, or the ends of a number.
std::map<double, double> values_not_to_miss(const Schema& schema, const TableFacts& facts) {
  std::map<double, double> weights = facts.label_weights();
  if (!weights.empty() || schema.label->kind != ColumnKind::numeric) return weights;
  const NumericMoments& label = facts.moments().numeric(schema.features.size());
  return {{label.low, 1}, {label.high, 1}};
}

}  // namespace

TableForSample::TableForSample(const Source& given, const SffsOptions& options, std::size_t size,
                               Progress& progress)
    : given_(given), options_(options) {
  if (!given.schema().label) throw Error("no label column was named");
  if (options.bins > 0) {
    const auto rows = sampled_table(given, size, options.seed, progress);
    binned_.emplace(given, *rows, options.bins);
  }
  facts_.emplace(facts_of(source(), progress));
  if (!options.balanced) return;
  balance();
  facts_.emplace(facts_of(*balanced_, progress));
}

const Source& TableForSample::source() const {
  return balanced_ ? static_cast<const Source&>(*balanced_) : unbalanced();
}

TableFacts TableForSample::facts_of(const Source& source, Progress& progress) const {
  const TableFacts zero(source.schema(), label_values_to_count(options_.task));
  return fold(source, zero, "means and variances", progress);
}

void TableForSample::balance() {
  if (task_of(given_.schema(), *facts_, options_.task) != Task::classification) {
    throw Error("the label is a number: --class-weight balanced needs classes");
  }
  std::map<double, double> of_class = facts_->label_weights();
  const double part = facts_->moments().weight() / static_cast<double>(of_class.size());
  balanced_.emplace(unbalanced(), std::move(of_class), part);
}

std::unique_ptr<MemorySource> TableForSample::sample(std::size_t size, Progress& progress) const {
  const Source& rows = unbalanced();
  return labelled_sample(rows, size, options_.seed, values_not_to_miss(rows.schema(), *facts_),
                         progress);
}

}  // namespace fsieve::methods
