#include "span/spread.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "linalg/tiles.h"
#include "source/whole_table.h"

namespace fsieve::inline span {
namespace {

using blas::Op;

// Parities that are evaluated together.
constexpr std::size_t parities_at_once = 128;

double unevenness(const double* values, std::size_t rows) {
  double squares = 0;
  double fourths = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double square = values[i] * values[i];
    squares += square;
    fourths += square * square;
  }
  return squares > 0 ? static_cast<double>(rows) * fourths / (squares * squares) : 3;
}

}  // namespace

std::vector<Spread> spreads_of(const Source& source, const Design& design,
                               const std::vector<Parity>& kept, const std::vector<double>& lower,
                               const std::vector<Leftover>& wanted, bool tails) {
  if (wanted.empty()) return {};
  const std::size_t rows = design.rows;
  const std::size_t rank = kept.size();
  const std::size_t count = wanted.size();
  // Columns of one rank are solved for together.
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a].rank < wanted[b].rank; });
  std::vector<double> weights(rank * count);  // of the parities, in each column
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double>& from = wanted[places[k]].coordinates;
    std::copy(from.begin(), from.end(), weights.data() + k * rank);
  }
  for (std::size_t k = 0; k < count;) {
    const std::size_t first = k;
    const std::size_t used = wanted[places[k]].rank;
    while (k < count && wanted[places[k]].rank == used) ++k;
    blas::solve_lower_transposed(used, k - first, lower.data(), rank, weights.data() + first * rank,
                                 rank);
  }
  std::vector<double> squares(rank);  // norms of the parities
  for (std::size_t k = 0; k < rank; ++k) {
    for (std::size_t q = k; q < rank; ++q) squares[q] += lower[q + k * rank] * lower[q + k * rank];
  }
  std::vector<Spread> found(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double* own = weights.data() + k * rank;
    double& sum = found[places[k]].weights;
    sum = 1;
    for (std::size_t q = 0; q < rank; ++q) sum += own[q] * own[q] * squares[q];
  }
  if (!tails) return found;
  std::vector<Parity> functions = kept;
  for (const std::size_t k : places) functions.push_back(Parity().times(wanted[k].column));
  StandardisedRows table(design, columns_of(functions));
  table.fill(whole_table(source), 0, rows);
  std::vector<double> left(rows * count);
  in_parallel(count,
              [&](std::size_t k) { table.evaluate(functions[rank + k], left.data() + k * rows); });
  std::vector<double> values(rows * std::min(parities_at_once, rank));
  for (std::size_t from = 0; from < rank; from += parities_at_once) {
    const std::size_t some = std::min(parities_at_once, rank - from);
    in_parallel(some, [&](std::size_t q) {
      table.evaluate(functions[from + q], values.data() + q * rows);
    });
    blas::tiled_gemm(Op::none, Op::none, rows, count, some, -1.0, values.data(), rows,
                     weights.data() + from, rank, 1.0, left.data(), rows);
  }
  for (std::size_t k = 0; k < count; ++k) {
    found[places[k]].tails = unevenness(left.data() + k * rows, rows);
  }
  return found;
}

}  // namespace fsieve::span
