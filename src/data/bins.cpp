#include "data/bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/binary_lists.h"
#include "base/stop.h"
#include "data/quantiles.h"
#include "source/known_table.h"
#include "table/cell_text.h"

namespace fsieve::inline data {
namespace {

// The different values, and the weight of the rows that have each.
using Values = std::map<double, double>;

Values values_of(std::span<const double> column, std::span<const double> weights) {
  Values values;
  for (std::size_t i = 0; i < column.size(); ++i) {
    values[column[i]] += weights.empty() ? 1 : weights[i];
  }
  return values;
}

// Where one value fills several quantiles (most counts are 0) it is a bin of its own, and the rest
// shares the others: each bin takes values until it has its part of what is left.
std::vector<double> cuts_around_heavy_values(const Values& values, std::size_t bins) {
  double left = 0;
  for (const auto& [value, weight] : values) left += weight;
  std::vector<double> cuts;
  double part = left / static_cast<double>(bins);
  double filled = 0;
  for (const auto& [value, weight] : values) {
    if (filled >= part && cuts.size() + 1 < bins) {
      cuts.push_back(value);
      left -= filled;
      part = left / static_cast<double>(bins - cuts.size());
      filled = 0;
    }
    filled += weight;
  }
  return cuts;
}

// The values at which a new bin begins.
std::vector<double> cuts_of(std::span<const double> column, std::span<const double> weights,
                            const Values& values, std::size_t bins) {
  const Quantiles quantiles = quantiles_of(column, weights, bins);
  std::set<double> cuts(quantiles.starts.begin(), quantiles.starts.end());
  cuts.erase(quantiles.smallest);
  if (cuts.size() + 1 < bins) return cuts_around_heavy_values(values, bins);
  return {cuts.begin(), cuts.end()};
}

// Few values are levels by number, in the byte order of the schema.
ColumnBins bins_of_values(const Values& values) {
  ColumnBins bins;
  for (const auto& [value, weight] : values) {
    bins.levels.push_back(io::number_text(value));
    if (bins.levels.size() > 1) bins.starts.push_back(value);
  }
  const std::vector<std::string> names = bins.levels;
  std::sort(bins.levels.begin(), bins.levels.end());
  for (const std::string& name : names) {
    const auto level = std::lower_bound(bins.levels.begin(), bins.levels.end(), name);
    bins.places.push_back(static_cast<double>(level - bins.levels.begin()));
  }
  return bins;
}

// None where the column has two values, or one.
std::optional<ColumnBins> bins_of(std::span<const double> column, std::span<const double> weights,
                                  std::size_t bins) {
  const Values distinct = values_of(column, weights);
  if (distinct.size() <= 2) return std::nullopt;
  if (distinct.size() <= bins) return bins_of_values(distinct);
  ColumnBins cut;
  cut.starts = cuts_of(column, weights, distinct, bins);
  for (std::size_t k = 0; k <= cut.starts.size(); ++k) {
    cut.places.push_back(static_cast<double>(k));
    cut.levels.push_back(fmt::format("bin{:0{}}", k + 1, bins > 9 ? 2 : 1));
  }
  return cut;
}

using AllBins = std::vector<std::optional<ColumnBins>>;  // by column; none: it stays as it is

// Those of the numeric features of a table in memory.
AllBins cut_features(const Source& source, std::size_t bins) {
  const Schema& schema = source.schema();
  AllBins all(schema.columns());
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    stop_if_asked();
    if (schema.features[j].kind != ColumnKind::numeric) continue;
    const auto column = source.in_memory().subspan(j * source.rows(), source.rows());
    all[j] = bins_of(column, source.weights(), bins);
  }
  return all;
}

// What is cut becomes a category.
Schema cut_schema(Schema schema, const AllBins& bins) {
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    if (!bins[j]) continue;
    schema.features[j].kind = ColumnKind::categorical;
    schema.features[j].levels = bins[j]->levels;
  }
  return schema;
}

AllBins loaded_bins(std::istream& in) {
  AllBins all;
  load_each(in, [&] {
    std::optional<ColumnBins>& bins = all.emplace_back();
    if (!load_flag(in)) return;
    bins.emplace();
    load_list(in, bins->starts);
    load_list(in, bins->places);
    bins->levels = load_texts(in);
  });
  return all;
}

constexpr const char* binned_view = "bins";
const KnownView known_binned(binned_view, [](const Source& rows, std::istream& saved) {
  return std::make_unique<BinnedSource>(rows, loaded_bins(saved));
});

class BinnedReader final : public BlockReader {
 public:
  BinnedReader(std::unique_ptr<BlockReader> reader, const AllBins& bins)
      : reader_(std::move(reader)), bins_(bins) {}

  bool next(Block& block) override {
    if (!reader_->next(given_)) return false;
    block.first_row = given_.first_row;
    block.rows = block.stride = given_.rows;
    block.storage.resize(bins_.size() * given_.rows);
    block.values = block.storage.data();
    block.weights = given_.weights;
    for (std::size_t j = 0; j < bins_.size(); ++j) {
      const auto column = given_.column(j);
      std::transform(column.begin(), column.end(), block.storage.begin() + j * given_.rows,
                     [&](double value) { return bins_[j] ? bins_[j]->place(value) : value; });
    }
    return true;
  }

 private:
  std::unique_ptr<BlockReader> reader_;
  const AllBins& bins_;
  Block given_;
};

}  // namespace

double ColumnBins::place(double value) const {
  return places[static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), value) -
                                         starts.begin())];
}

std::unique_ptr<MemorySource> binned(const Source& source, std::size_t bins) {
  const AllBins cut = cut_features(source, bins);
  std::vector<double> values(source.in_memory().begin(), source.in_memory().end());
  for (std::size_t j = 0; j < cut.size(); ++j) {
    if (!cut[j]) continue;
    const std::span<double> column(values.data() + j * source.rows(), source.rows());
    for (double& value : column) value = cut[j]->place(value);
  }
  const auto weights = source.weights();
  return known_table(cut_schema(source.schema(), cut), std::move(values), source.rows(),
                     std::vector<double>(weights.begin(), weights.end()));
}

BinnedSource::BinnedSource(const Source& source, const Source& sample, std::size_t bins)
    : BinnedSource(source, cut_features(sample, bins)) {}

BinnedSource::BinnedSource(const Source& source, AllBins bins)
    : source_(source), schema_(cut_schema(source.schema(), bins)), bins_(std::move(bins)) {}

const char* BinnedSource::view_name() const { return binned_view; }

void BinnedSource::save_view(std::ostream& out) const {
  save_count(out, bins_.size());
  for (const auto& bins : bins_) {
    save_flag(out, bins.has_value());
    if (!bins) continue;
    save_values(out, bins->starts);
    save_values(out, bins->places);
    save_texts(out, bins->levels);
  }
}

std::unique_ptr<BlockReader> BinnedSource::open() const {
  return std::make_unique<BinnedReader>(source_.open(), bins_);
}

}  // namespace fsieve::data
