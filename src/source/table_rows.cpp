#include "source/table_rows.h"

#include <algorithm>
#include <utility>

#include "source/known_table.h"

namespace fsieve::inline source {

std::unique_ptr<MemorySource> table_rows(const Source& source,
                                         const std::vector<std::size_t>& rows) {
  const auto pick = [&](const double* from, double* to) {
    std::transform(rows.begin(), rows.end(), to, [&](std::size_t i) { return from[i]; });
  };
  const std::size_t columns = source.schema().columns();
  std::vector<double> values(rows.size() * columns);
  for (std::size_t j = 0; j < columns; ++j) {
    pick(source.in_memory().data() + j * source.rows(), values.data() + j * rows.size());
  }
  std::vector<double> weights;
  if (!source.weights().empty()) {
    weights.resize(rows.size());
    pick(source.weights().data(), weights.data());
  }
  return known_table(source.schema(), std::move(values), rows.size(), std::move(weights));
}

}  // namespace fsieve::source
