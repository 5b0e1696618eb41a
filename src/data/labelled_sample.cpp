#include "data/labelled_sample.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/binary_lists.h"
#include "base/stop.h"
#include "source/known_table.h"
#include "source/parted_source.h"
#include "source/sampled_rows.h"
#include "stats/fold.h"

namespace fsieve::inline data {
namespace {

// So many rows of a value are expected in a sample, or it is rare; and so many are added.
constexpr double enough = 40;
constexpr std::size_t added = 20;

// How many more rows of each rare value are wanted.
std::map<double, std::size_t> wanted_rows(const std::map<double, double>& weights, double share) {
  std::map<double, std::size_t> wanted;
  for (const auto& [value, weight] : weights) {
    if (weight * share < enough) wanted[value] = added;
  }
  return wanted;
}

// The numbers of the first rows of rare values that were not drawn, where the rows lie elsewhere.
class RareRows {
 public:
  RareRows(std::size_t label, std::vector<std::uint64_t> drawn, std::vector<double> values)
      : label_(label),
        drawn_(std::move(drawn)),
        values_(std::move(values)),
        rows_(values_.size()) {}

  void add(const Block& block) {
    const auto label = block.column(label_);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto value = std::lower_bound(values_.begin(), values_.end(), label[i]);
      if (value == values_.end() || *value != label[i]) continue;
      auto& rows = rows_[static_cast<std::size_t>(value - values_.begin())];
      const std::uint64_t row = block.first_row + i;
      if (rows.size() == added || std::binary_search(drawn_.begin(), drawn_.end(), row)) continue;
      rows.push_back(row);
    }
  }
  void merge(const RareRows& next) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (const std::uint64_t row : next.rows_[k]) {
        if (rows_[k].size() < added) rows_[k].push_back(row);
      }
    }
  }
  void save(std::ostream& out) const {
    for (const auto& rows : rows_) save_values(out, rows);
  }
  void load(std::istream& in) {
    for (auto& rows : rows_) load_list(in, rows);
  }
  [[nodiscard]] std::size_t bytes() const { return rows_.size() * added * sizeof(std::uint64_t); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "rare rows";
  void save_question(std::ostream& out) const {
    save_values(out, drawn_);
    save_values(out, values_);
  }
  static RareRows from_question(std::istream& in, const Schema& schema, Keep& /*keep*/) {
    std::vector<std::uint64_t> drawn;
    load_list(in, drawn);
    std::vector<double> values;
    load_list(in, values);
    return {schema.features.size(), std::move(drawn), std::move(values)};
  }

  // With those that were drawn, ascending.
  [[nodiscard]] std::vector<std::size_t> all_rows() const {
    std::vector<std::size_t> all(drawn_.begin(), drawn_.end());
    for (const auto& rows : rows_) all.insert(all.end(), rows.begin(), rows.end());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::size_t label_;
  std::vector<std::uint64_t> drawn_;  // ascending
  std::vector<double> values_;        // ascending
  std::vector<std::vector<std::uint64_t>> rows_;
};

}  // namespace

std::unique_ptr<MemorySource> labelled_sample(const Source& source, std::size_t size,
                                              std::uint64_t seed,
                                              const std::map<double, double>& weights,
                                              Progress& progress) {
  const Schema& schema = source.schema();
  const std::vector<std::size_t> drawn = sampled_rows(source, size, seed);
  std::map<double, std::size_t> wanted =
      wanted_rows(weights, static_cast<double>(size) / static_cast<double>(source.rows()));
  if (const Parts parts = parts_of(source); parts.source != nullptr) {
    std::vector<double> rare;
    rare.reserve(wanted.size());
    for (const auto& [value, rows] : wanted) rare.push_back(value);
    const RareRows zero(schema.features.size(), {drawn.begin(), drawn.end()}, std::move(rare));
    return rows_at(parts, fold(source, zero, "sample of rows", progress).all_rows(), progress);
  }
  std::vector<std::vector<double>> columns(schema.columns());
  for (auto& column : columns) column.reserve(drawn.size());
  std::vector<double> row_weights;
  std::vector<std::size_t> taken;
  progress.begin("sample of rows", source.rows());
  const auto reader = source.open();
  Block block;
  for (std::size_t next = 0; reader->next(block);) {
    stop_if_asked();
    taken.clear();
    const auto label = block.column(schema.features.size());
    for (std::size_t i = 0; i < block.rows; ++i) {
      const bool in_sample = next < drawn.size() && drawn[next] == block.first_row + i;
      if (in_sample) ++next;
      bool wanted_too = false;
      if (!in_sample && !wanted.empty() && (block.weights.empty() || block.weights[i] > 0)) {
        const auto more = wanted.find(label[i]);
        wanted_too = more != wanted.end() && more->second > 0;
        if (wanted_too) --more->second;
      }
      if (in_sample || wanted_too) taken.push_back(i);
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto column = block.column(j);
      for (const std::size_t i : taken) columns[j].push_back(column[i]);
    }
    for (const std::size_t i : taken) {
      if (!block.weights.empty()) row_weights.push_back(block.weights[i]);
    }
    progress.advance(block.first_row + block.rows);
  }
  progress.end();
  const std::size_t rows = columns.front().size();
  std::vector<double> values;
  values.reserve(rows * columns.size());
  for (std::vector<double>& column : columns) {
    values.insert(values.end(), column.begin(), column.end());
    std::vector<double>().swap(column);
  }
  return known_table(schema, std::move(values), rows, std::move(row_weights));
}

}  // namespace fsieve::data
