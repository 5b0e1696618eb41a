#include "data/whole_label.h"

#include <algorithm>
#include <limits>
#include <set>

#include "data/class_order.h"

namespace fsieve::inline data {

std::size_t label_values_to_count(Task asked) {
  return asked == Task::classification ? std::numeric_limits<std::size_t>::max()
                                       : most_numeric_classes;
}

Task task_of(const Schema& schema, const TableFacts& facts, Task asked) {
  if (asked != Task::automatic) return asked;
  if (schema.label->kind != ColumnKind::numeric) return Task::classification;
  std::set<double> values;
  for (const auto& [value, weight] : facts.label_weights()) values.insert(value);
  return !values.empty() && looks_like_classes(values) ? Task::classification : Task::regression;
}

WholeLabel::WholeLabel(const Schema& schema, const TableFacts& facts, const Label& sample)
    : position_(schema.features.size()),
      weight_(facts.moments().weight()),
      classes_(sample.classification ? sample.classes.size() : 0) {
  if (!sample.classification) {
    means_ = {facts.moments().numeric(position_).mean};
    ranks_.emplace(sample.numbers, sample.weights);
    return;
  }
  const std::map<double, double> weights = facts.label_weights();
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [value, weight] : weights) {
    values.push_back(value);
    names.push_back(schema.label->kind == ColumnKind::numeric
                        ? std::string()
                        : schema.label->levels[static_cast<std::size_t>(value)]);
  }
  // Numbers are in their order already.
  std::vector<std::size_t> order(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (schema.label->kind != ColumnKind::numeric) order = class_order(names);
  double rarest = 1;
  std::vector<double> shares;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double value = values[order[k]];
    codes_[value] = k;
    shares.push_back(weights.at(value) / weight_);
    rarest = std::min(rarest, shares.back());
  }
  peak_ = (1 - rarest) / rarest;
  means_ = classes_ == 2 ? std::vector<double>{shares[1] - shares[0]} : shares;
}

void WholeLabel::read(const Block& block, std::vector<double>& numbers,
                      std::vector<std::size_t>& codes) const {
  const auto values = block.column(position_);
  numbers.assign(values.begin(), values.end());
  codes.clear();
  if (classes_ == 0) return;
  for (double& number : numbers) {
    codes.push_back(codes_.at(number));
    number = codes.back() == 0 ? -1.0 : 1.0;
  }
}

void WholeLabel::write_columns(const std::vector<double>& numbers,
                               const std::vector<std::size_t>& codes, double* out) const {
  const std::size_t rows = numbers.size();
  for (std::size_t c = 0; c < means_.size(); ++c) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = means_.size() > 1 ? (codes[i] == c ? 1.0 : 0.0) : numbers[i];
      out[c * rows + i] = value - means_[c];
    }
  }
  if (classes_ > 0) return;
  double* scores = out + rows;
  ranks_->ranks(numbers, scores);
  for (std::size_t i = 0; i < rows; ++i) scores[i] = ranks_->normal_score(scores[i]);
}

}  // namespace fsieve::data
