#include "stats/picked_rows.h"

#include <algorithm>

#include "base/binary_lists.h"
#include "source/known_table.h"
#include "stats/fold.h"

namespace fsieve::inline stats {

void PickedRows::add(const Block& block) {
  const auto first = std::lower_bound(numbers_.begin(), numbers_.end(), block.first_row);
  const auto last = std::lower_bound(first, numbers_.end(), block.first_row + block.rows);
  for (std::size_t j = 0; j < values_.size(); ++j) {
    const auto column = block.column(j);
    for (auto number = first; number != last; ++number) {
      values_[j].push_back(column[*number - block.first_row]);
    }
  }
}

void PickedRows::merge(const PickedRows& next) {
  for (std::size_t j = 0; j < values_.size(); ++j) {
    values_[j].insert(values_[j].end(), next.values_[j].begin(), next.values_[j].end());
  }
}

void PickedRows::save(std::ostream& out) const {
  for (const auto& column : values_) save_values(out, column);
}

void PickedRows::load(std::istream& in) {
  for (auto& column : values_) load_list(in, column);
}

std::size_t PickedRows::bytes() const { return values_.size() * numbers_.size() * sizeof(double); }

void PickedRows::save_question(std::ostream& out) const { save_values(out, numbers_); }

PickedRows PickedRows::from_question(std::istream& in, const Schema& schema, Keep& /*keep*/) {
  std::vector<std::uint64_t> numbers;
  load_list(in, numbers);
  return {schema.columns(), std::move(numbers)};
}

std::vector<double> PickedRows::values() const {
  std::vector<double> all;
  for (const auto& column : values_) all.insert(all.end(), column.begin(), column.end());
  return all;
}

std::unique_ptr<MemorySource> picked_rows(const Source& source, std::vector<std::size_t> numbers,
                                          Progress& progress) {
  const std::size_t rows = numbers.size();
  const PickedRows zero(source.schema().columns(), {numbers.begin(), numbers.end()});
  const PickedRows picked = fold(source, zero, "picking rows", progress);
  std::vector<double> weights;
  if (const auto all = source.weights(); !all.empty()) {
    for (const std::size_t number : numbers) weights.push_back(all[number]);
  }
  return known_table(source.schema(), picked.values(), rows, std::move(weights));
}

}  // namespace fsieve::stats
