#include "span/standardised_columns.h"

#include "base/parallel.h"
#include "linalg/blas.h"
#include "linalg/narrow.h"
#include "source/weights.h"
#include "source/whole_table.h"

namespace fsieve::inline span {
namespace {

constexpr std::size_t most_bytes_kept = std::size_t{256} << 20U;

std::size_t columns_in(const Design& design, const std::vector<std::size_t>& features) {
  std::size_t count = 0;
  for (const std::size_t f : features) count += design.features[f].last - design.features[f].first;
  return count;
}

}  // namespace

StandardisedColumns::StandardisedColumns(const Source& source, const Design& design,
                                         const std::vector<std::size_t>& features, bool narrow)
    : rows_(design.rows),
      places_(design.columns.size()),
      values_(rows_ * columns_in(design, features)),
      narrow_(narrow ? values_.size() : 0),
      squares_(columns_in(design, features)) {
  std::vector<std::size_t> columns;
  for (const std::size_t f : features) {
    for (std::size_t c = design.features[f].first; c < design.features[f].last; ++c) {
      places_[c] = columns.size();
      columns.push_back(c);
    }
  }
  const Block whole = whole_table(source);
  const RootWeights roots(source.weights());
  in_parallel(columns.size(), [&](std::size_t k) {
    double* const values = values_.data() + k * rows_;
    design.standardised(whole, 0, rows_, columns[k], values);
    roots.scale(values);
    squares_[k] = blas::dot(rows_, values, values);
    if (narrow) blas::narrow(rows_, values, narrow_.data() + k * rows_);
  });
}

std::shared_ptr<const StandardisedColumns> StandardisedColumns::of(
    const Source& source, const Design& design, const std::vector<std::size_t>& features,
    bool narrow) {
  if (source.in_memory().empty()) return nullptr;
  const std::size_t values = design.rows * columns_in(design, features);
  if (values > most_bytes_kept / (sizeof(double) + (narrow ? sizeof(float) : 0))) return nullptr;
  return std::make_shared<const StandardisedColumns>(source, design, features, narrow);
}

}  // namespace fsieve::span
