#include "data/whole_label.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/binary_lists.h"
#include "data/class_order.h"

namespace fsieve::inline data {
namespace {

// In the order of the classes: numbers, or positions of levels.
std::vector<double> class_values(const Column& label, const std::map<double, double>& weights) {
  std::vector<double> values;
  if (label.kind == ColumnKind::numeric) {
    for (const auto& [value, weight] : weights) values.push_back(value);
    return values;
  }
  for (const std::size_t level : class_order(label.levels)) {
    values.push_back(static_cast<double>(level));
  }
  return values;
}

}  // namespace

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
    peak_ = std::pow(ranks_->normal_score(1), 2);
    return;
  }
  const std::map<double, double> weights = facts.label_weights();
  double rarest = 1;
  std::vector<double> shares;
  for (const double value : class_values(*schema.label, weights)) {
    codes_[value] = shares.size();
    const auto known = weights.find(value);  // rows of weight 0 may have a level of their own
    shares.push_back(known == weights.end() ? 0 : known->second / weight_);
    if (shares.back() > 0) rarest = std::min(rarest, shares.back());
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
    const auto known = codes_.find(number);
    codes.push_back(known == codes_.end() ? 0 : known->second);  // a row of weight 0
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

void WholeLabel::save(std::ostream& out) const {
  save_value(out, static_cast<std::uint64_t>(position_));
  save_value(out, weight_);
  save_value(out, static_cast<std::uint64_t>(classes_));
  save_value(out, peak_);
  save_count(out, codes_.size());
  for (const auto& [value, code] : codes_) {
    save_value(out, value);
    save_value(out, static_cast<std::uint64_t>(code));
  }
  save_values(out, means_);
  save_flag(out, ranks_.has_value());
  if (ranks_) ranks_->save(out);
}

WholeLabel WholeLabel::load(std::istream& in) {
  WholeLabel label;
  const auto load_size = [&] {
    std::uint64_t size = 0;
    load_value(in, size);
    return static_cast<std::size_t>(size);
  };
  label.position_ = load_size();
  load_value(in, label.weight_);
  label.classes_ = load_size();
  load_value(in, label.peak_);
  load_each(in, [&] {
    double value = 0;
    load_value(in, value);
    label.codes_[value] = load_size();
  });
  load_list(in, label.means_);
  if (load_flag(in)) label.ranks_ = RankFunctions::load(in);
  return label;
}

}  // namespace fsieve::data
