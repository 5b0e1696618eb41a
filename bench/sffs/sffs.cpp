// bench/sffs: scoring all subsets, beside what the machine's cores count and multiply in registers,
// and the forward search beside the rate of its matrix products, in one run. Files given are
// searched (their label: "label"); else tables of the same shape as two well-known ones. Shares of
// the peaks are by processor time, which other programs disturb less than the clock on the wall;
// seconds are the wall's. A random tenth of the subsets (at most 2000) is checked by the slow path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "bits/subset_tiles.h"
#include "methods/union/scorer.h"
#include "sffs/forward.h"
#include "sffs/peaks.h"
#include "sffs/timing.h"

namespace fsieve::bench {
namespace {

struct Data {
  std::unique_ptr<MemorySource> source;
  SupervisedData data;
};

Data table(std::size_t rows, std::size_t columns, bool signs) {
  std::vector<double> values = random_normals(rows * (columns + 1), 42);
  double* y = values.data() + rows * columns;
  for (std::size_t i = 0; i < rows; ++i) y[i] = y[i] + values[i] * values[rows + i] > 0 ? 1 : -1;
  if (signs) {
    std::for_each(values.data(), y, [](double& value) { value = value > 0.2 ? 1 : -1; });
  }
  Schema schema;
  for (std::size_t j = 0; j < columns; ++j) {
    schema.features.push_back({fmt::format("x{}", j + 1), j, ColumnKind::numeric, {}});
  }
  schema.label = Column{"y", columns, ColumnKind::numeric, {}};
  Data result;
  result.source = std::make_unique<MemorySource>(std::move(schema), std::move(values), rows);
  NoProgress progress;
  result.data = make_supervised_data(*result.source, Task::classification, progress);
  return result;
}

// Keeps every score of a smaller run and asks the slow path for a random tenth of them.
void check(const SubsetScorer& scorer, const SupervisedData& data, int size) {
  NoProgress progress;
  Ranking ranking(data.design.features.size(), std::size_t{1} << 22U, 0);
  scorer.score_all(size, ranking, progress);
  std::vector<ScoredSubset> all = ranking.best();
  require(static_cast<double>(all.size()) ==
              choose(data.features.size(), static_cast<std::size_t>(size)),
          "subsets are missing");
  std::mt19937_64 bits(1);
  std::shuffle(all.begin(), all.end(), bits);
  all.resize(std::min<std::size_t>(all.size() / 10, 2000));
  double worst = 0;
  for (const ScoredSubset& subset : all) {
    worst = std::max(worst, std::abs(subset.score - scorer.score(subset.features)));
  }
  require(worst < 1e-9, "fast and slow scores differ");
}

Times time_of(const SubsetScorer& scorer, const SupervisedData& data, int size) {
  NoProgress progress;
  std::vector<ScoredSubset> best;
  const Times time = times_of(3, [&] {
    Ranking ranking(data.design.features.size(), 20, 20);
    scorer.score_all(size, ranking, progress);
    best = ranking.best();
  });
  for (const ScoredSubset& subset : best) {
    require(std::abs(subset.score - scorer.score(subset.features)) < 1e-9, "a best score is wrong");
  }
  return time;
}

// Words per second of one core.
struct CountPeaks {
  double counted = 0;
  double added = 0;       // counted and added up
  double from_cache = 0;  // loaded, anded, counted and added up
};

void cells(std::size_t rows, std::size_t features, int size, const CountPeaks& peaks) {
  const Data d = table(rows, features, true);
  const auto scorer = make_cell_scorer(d.data, 0);
  const double subsets = choose(features, static_cast<std::size_t>(size));
  const Times time = time_of(*scorer, d.data, size);
  const double rate = subsets * static_cast<double>(rows) / time.wall;
  const double per_core = rate * time.wall / time.processor;
  const double words = 100 * per_core / 64;
  fmt::print(
      "cells       t = {}  n = {:6} d = {:5}   {:7.3f} s   {:9.2e} subsets x samples/s   {:5.1f} % "
      "of the popcount peak, {:.1f} % of counting and adding, {:.1f} % of that with AND from "
      "cache\n",
      size, rows, features, time.wall, rate, words / peaks.counted, words / peaks.added,
      words / peaks.from_cache);
  const Data small = table(rows, size == 2 ? 300 : 70, true);
  check(*make_cell_scorer(small.data, 0), small.data, size);
}

// Multiply-adds per pair and sample: 5 for the moments (x_b x_c, x_b² x_c, x_b x_c², x_b² x_c²,
// y x_b x_c) and 9 for the sweep (two for the second function, three for the third, four for their
// terms). Per triple: 8 + 1 new moments, 28 for the functions, 16 for their terms.
void projection(std::size_t rows, std::size_t features, int size, double peak) {
  const Data d = table(rows, features, false);
  const auto scorer = make_projection_scorer(d.data);
  const double subsets = choose(features, static_cast<std::size_t>(size));
  const Times time = time_of(*scorer, d.data, size);
  const double rate = subsets * static_cast<double>(rows) / time.wall;
  const double per_core = rate * time.wall / time.processor;
  const double work = size == 2 ? 14 : 53;
  fmt::print(
      "projection  t = {}  n = {:6} d = {:5}   {:7.3f} s   {:9.2e} subsets x samples/s   {:5.1f} % "
      "of "
      "the FMA peak\n",
      size, rows, features, time.wall, rate, 100 * per_core * work / peak);
  const Data small = table(rows, size == 2 ? 100 : 25, false);
  check(*make_projection_scorer(small.data), small.data, size);
}

// One product of the size that the forward search makes, on one core.
double multiply_matrices() {
  constexpr std::size_t size = 1024;
  static const std::vector<double> a = random_normals(size * size, 1);
  thread_local std::vector<double> c(size * size);
  blas::gemm(blas::Op::transpose, blas::Op::none, size, size, size, 1.0, a.data(), size, a.data(),
             size, 0.0, c.data(), size);
  return static_cast<double>(size * size * size);
}

}  // namespace
}  // namespace fsieve::bench

int main(int argc, char** argv) {
  using namespace fsieve::bench;
  constexpr std::size_t rounds = 5'000'000;
  const CountPeaks counts{rate_per_core([] { return only_count_in_registers(rounds); }),
                          rate_per_core([] { return count_in_registers(rounds); }),
                          rate_per_core([] { return count_in_cache(rounds); })};
  if (argc > 1 && std::strcmp(argv[1], "--peaks") == 0) {
    fmt::print("{{\"counted\": {}, \"added\": {}, \"from_cache\": {}}}\n", counts.counted,
               counts.added, counts.from_cache);
    return 0;
  }
  const double flops = rate_per_core([] { return multiply_in_registers(rounds); });
  const double products = rate_per_core(multiply_matrices);
  fmt::print(
      "peaks of one core: {:.1f} G words/s counted, {:.1f} counted and added, {:.1f} with AND from "
      "cache, {:.1f} G multiply-adds/s, {:.1f} in matrix products\n",
      counts.counted / 1e9, counts.added / 1e9, counts.from_cache / 1e9, flops / 1e9,
      products / 1e9);
  cells(16'384, 2000, 2, counts);
  cells(16'384, 400, 3, counts);
  cells(1000, 2000, 2, counts);
  cells(1000, 400, 3, counts);
  projection(16'384, 400, 2, flops);
  projection(1000, 1000, 2, flops);
  projection(16'384, 60, 3, flops);
  projection(1000, 100, 3, flops);
  for (int k = 1; k < argc; ++k) forward_on_file(argv[k], products);
  if (argc == 1) {
    forward_on_table(1440, 1024, 20, products);
    forward_on_table(1560, 617, 26, products);
  }
  fmt::print("peak memory {:.0f} MiB\n", peak_mib());
  return 0;
}
