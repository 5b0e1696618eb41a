#include "data/sample_size.h"

#include <algorithm>
#include <cmath>

#include "fsieve/sample.h"
#include "stats/normal.h"

namespace fsieve::inline data {
namespace {

// So many rows are no trouble for any method whose work on a row is little.
constexpr std::size_t few_rows = std::size_t{1} << 17U;
// Multiply-adds that are worth a sample whatever the number of rows: some seconds.
constexpr double much_work = 1e11;
// A sample of more than this part of the rows saves nothing that is worth its errors.
constexpr std::size_t worthwhile_part = 3;

}  // namespace

std::size_t rows_that_tell(double precision, double level, double candidates, double functions) {
  const double z = normal_quantile(1 - level / (2 * std::max(candidates, 1.0)));
  return static_cast<std::size_t>(std::ceil(functions + z * z / (2 * precision * precision)));
}

std::size_t sample_size(std::size_t asked, std::size_t rows, std::size_t tell,
                        double work_of_a_row) {
  if (asked != automatic_sample) return std::min(asked, rows);
  if (rows / worthwhile_part < tell) return rows;
  const bool much = static_cast<double>(rows - tell) * work_of_a_row > much_work;
  return rows > few_rows || much ? tell : rows;
}

}  // namespace fsieve::data
