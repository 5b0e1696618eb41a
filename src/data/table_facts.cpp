#include "data/table_facts.h"

#include "base/binary.h"

namespace fsieve::inline data {

TableFacts::TableFacts(const Schema& schema, std::size_t most_values)
    : label_(schema.features.size()),
      numeric_label_(schema.label && schema.label->kind == ColumnKind::numeric),
      most_values_(most_values),
      moments_(schema) {}

void TableFacts::add(const Block& block) {
  moments_.add(block);
  if (!numeric_label_ || too_many_) return;
  const auto values = block.column(label_);
  for (std::size_t i = 0; i < values.size() && !too_many_; ++i) {
    count(values[i], block.weights.empty() ? 1 : block.weights[i]);
  }
}

void TableFacts::count(double value, double weight) {
  if (!(weight > 0)) return;
  weights_[value] += weight;
  too_many_ = weights_.size() > most_values_;
  if (too_many_) weights_.clear();
}

void TableFacts::merge(const TableFacts& other) {
  moments_.merge(other.moments_);
  too_many_ = too_many_ || other.too_many_;
  for (auto value = other.weights_.begin(); value != other.weights_.end() && !too_many_; ++value) {
    count(value->first, value->second);
  }
  if (too_many_) weights_.clear();
}

void TableFacts::save(std::ostream& out) const {
  moments_.save(out);
  save_value(out, static_cast<std::uint64_t>(too_many_));
  save_count(out, weights_.size());
  for (const auto& [value, weight] : weights_) {
    save_value(out, value);
    save_value(out, weight);
  }
}

void TableFacts::load(std::istream& in) {
  moments_.load(in);
  std::uint64_t too_many = 0;
  std::uint64_t values = 0;
  load_value(in, too_many);
  load_value(in, values);
  too_many_ = too_many != 0;
  weights_.clear();
  for (std::uint64_t k = 0; k < values; ++k) {
    double value = 0;
    load_value(in, value);
    load_value(in, weights_[value]);
  }
}

std::size_t TableFacts::bytes() const {
  constexpr std::size_t of_value = 64;
  return moments_.bytes() + weights_.size() * of_value;
}

std::map<double, double> TableFacts::label_weights() const {
  if (numeric_label_) return weights_;
  std::map<double, double> weights;
  const std::vector<double>& counts = moments_.counts(label_);
  for (std::size_t level = 0; level < counts.size(); ++level) {
    if (counts[level] > 0) weights[static_cast<double>(level)] = counts[level];
  }
  return weights;
}

void TableFacts::save_question(std::ostream& out) const { save_count(out, most_values_); }

TableFacts TableFacts::from_question(std::istream& in, const Schema& schema, Keep& /*keep*/) {
  std::uint64_t most_values = 0;
  load_value(in, most_values);
  return {schema, most_values};
}

}  // namespace fsieve::data
