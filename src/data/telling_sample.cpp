#include "data/telling_sample.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "data/telling_rows.h"
#include "source/sampled_rows.h"
#include "stats/fold.h"
#include "stats/moments.h"

namespace fsieve::inline data {

std::unique_ptr<MemorySource> telling_sample(const Source& source, const Design& design,
                                             std::size_t size, std::uint64_t seed,
                                             Progress& progress) {
  const std::vector<std::size_t> numbers = sampled_rows(source, size, seed);
  const auto lottery = std::make_shared<RowLottery>(
      design, std::vector<std::uint64_t>(numbers.begin(), numbers.end()), seed);
  return fold(source, TellingRows(lottery, source.schema().columns()), "sample of rows", progress)
      .table(source.schema());
}

Design design_of_sample(const Design& design, const Source& sample, Progress& progress) {
  const Moments moments = fold(sample, Moments(sample.schema()), "means and variances", progress);
  Design own = design;
  own.rows = sample.rows();
  own.weight = moments.weight();
  own.dimensions = moments.rows();
  for (DesignColumn& column : own.columns) {
    if (column.level) {
      column.mean = moments.counts(column.feature)[*column.level] / own.weight;
      column.deviation = std::sqrt(std::max(column.mean * (1 - column.mean), 0.0));
    } else {
      const NumericMoments& known = moments.numeric(column.feature);
      column.mean = known.mean;
      column.deviation = known.low == known.high ? 0 : std::sqrt(known.squares / own.weight);
    }
  }
  return own;
}

Design varying_columns(const Design& design) {
  Design own = design;
  own.columns.clear();
  for (DesignFeature& feature : own.features) {
    const std::size_t first = own.columns.size();
    std::copy_if(design.columns.begin() + static_cast<std::ptrdiff_t>(feature.first),
                 design.columns.begin() + static_cast<std::ptrdiff_t>(feature.last),
                 std::back_inserter(own.columns),
                 [](const DesignColumn& column) { return column.deviation > 0; });
    feature.first = first;
    feature.last = own.columns.size();
  }
  return own;
}

}  // namespace fsieve::data
