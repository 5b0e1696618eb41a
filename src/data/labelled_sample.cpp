#include "data/labelled_sample.h"

#include <utility>
#include <vector>

#include "base/stop.h"
#include "source/known_table.h"
#include "source/sampled_rows.h"

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

}  // namespace

std::unique_ptr<MemorySource> labelled_sample(const Source& source, std::size_t size,
                                              std::uint64_t seed,
                                              const std::map<double, double>& weights,
                                              Progress& progress) {
  const Schema& schema = source.schema();
  const std::vector<std::size_t> drawn = sampled_rows(source, size, seed);
  std::map<double, std::size_t> wanted =
      wanted_rows(weights, static_cast<double>(size) / static_cast<double>(source.rows()));
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
