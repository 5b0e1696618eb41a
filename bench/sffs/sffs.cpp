// bench/sffs: scoring all subsets, beside what the machine's cores count and multiply in registers,
// in one run. Shares of the peaks are by processor time, which other programs disturb less than the
// clock on the wall; seconds are the wall's. A random tenth of the subsets (at most 2000) is
// checked by the slow path.
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include "measure.h"
#include "score/scorer.h"
#include "score/subset_tiles.h"
#include "sffs/peaks.h"

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

void require(bool true_statement, const char* what) {
  if (true_statement) return;
  fmt::print("WRONG ANSWER: {}\n", what);
  std::exit(1);
}

struct Times {
  double wall = 1e300;
  double processor = 1e300;  // of all threads together
};

// The shortest of several runs.
template <class Work>
Times times_of(int runs, const Work& work) {
  Times best;
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    best.wall = std::min(best.wall, seconds(work));
    const double used = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best.processor = std::min(best.processor, used);
  }
  return best;
}

// Per second of one core, while all are busy.
template <class Work>
double rate_per_core(const Work& work, std::size_t rounds) {
  const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  std::vector<double> done(cores);
  const Times times = times_of(9, [&] {
    tbb::parallel_for(
        std::size_t{0}, cores, [&](std::size_t k) { done[k] = work(rounds); },
        tbb::simple_partitioner());
  });
  return static_cast<double>(cores) * done[0] / times.processor;
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

void cells(std::size_t rows, std::size_t features, int size, double peak, double adding_peak) {
  const Data d = table(rows, features, true);
  const auto scorer = make_cell_scorer(d.data, 0);
  const double subsets = choose(features, static_cast<std::size_t>(size));
  const Times time = time_of(*scorer, d.data, size);
  const double rate = subsets * static_cast<double>(rows) / time.wall;
  const double per_core = rate * time.wall / time.processor;
  fmt::print(
      "cells       t = {}  n = {:6} d = {:5}   {:7.3f} s   {:9.2e} subsets x samples/s   {:5.1f} % "
      "of "
      "the popcount peak ({:.1f} % of counting and adding)\n",
      size, rows, features, time.wall, rate, 100 * per_core / 64 / peak,
      100 * per_core / 64 / adding_peak);
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

}  // namespace
}  // namespace fsieve::bench

int main() {
  using namespace fsieve::bench;
  const double words = rate_per_core(count_in_registers, 5'000'000);
  const double counts = rate_per_core(only_count_in_registers, 5'000'000);
  const double flops = rate_per_core(multiply_in_registers, 5'000'000);
  fmt::print(
      "peaks of one core: {:.1f} G words/s counted, {:.1f} counted and added, {:.1f} G "
      "multiply-adds/s\n",
      counts / 1e9, words / 1e9, flops / 1e9);
  cells(16'384, 2000, 2, counts, words);
  cells(16'384, 400, 3, counts, words);
  cells(1000, 2000, 2, counts, words);
  cells(1000, 400, 3, counts, words);
  projection(16'384, 400, 2, flops);
  projection(1000, 1000, 2, flops);
  projection(16'384, 60, 3, flops);
  projection(1000, 100, 3, flops);
  fmt::print("peak memory {:.0f} MiB\n", peak_mib());
  return 0;
}
