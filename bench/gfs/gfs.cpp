// bench/gfs: greedy runs beside the machine's own matrix product, and beside UFFS, in one run.
//
//   bench_gfs [FOLDER]                with USPS.csv.gz and COIL20.csv.gz in it
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "basis/parity.h"
#include "fsieve/error.h"
#include "fsieve/generate.h"
#include "fsieve/gfs.h"
#include "fsieve/io.h"
#include "fsieve/uffs.h"
#include "measure.h"

namespace fsieve::bench {
namespace {

void require(bool true_statement, const char* what) {
  if (true_statement) return;
  fmt::print("WRONG ANSWER: {}\n", what);
  std::exit(1);
}

// Multiply-adds of the matrix products of a run with products of up to `degree` of `chosen`
// features, d columns. Gram: new functions with [kept | new | columns], and taking the kept ones
// out of these. Sample: two projections of two products each, and new functions with all columns.
double work_of(Engine engine, double n, double d, std::size_t chosen, int degree, double most) {
  double work = 0;
  for (std::size_t j = 1; j <= chosen; ++j) {
    const double before = std::min(parity_count(j - 1, degree), most);
    const double added = std::min(parity_count(j, degree), most) - before;
    work += engine == Engine::gram
                ? added * (n * (before + added / 2 + d) + before * (before / 2 + added / 2 + d))
                : added * n * (4 * before + 2 * added + d);
  }
  return work;
}

void share_of_rate(const std::string& name, const Source& source, int degree, double epsilon2,
                   Engine engine) {
  GfsOptions options;
  options.family.degree = degree;
  options.scale = Scale::none;
  options.epsilon2 = epsilon2;
  options.equations = false;
  options.engine = engine;
  NoProgress progress;
  GreedyChoice found;
  double share = 0;
  double time = 1e30;
  // The rate is measured around each run: other programs slow both.
  for (int run = 0; run < 3; ++run) {
    const double rate = gemm_rate(2048, 2048, 2048);
    const double here = seconds([&] { found = gfs(source, options, progress); });
    const auto n = static_cast<double>(source.rows());
    const double work =
        work_of(found.engine, n, static_cast<double>(source.schema().features.size()),
                found.selected.size(), degree, n);
    share = std::max(share, work / here / rate);
    time = std::min(time, here);
  }
  require(found.saturated || found.trace.back() <= epsilon2, "more is left than the threshold");
  fmt::print(
      "{:8} degree {}  ε² {:<6} {:6} engine  {:3} of {:4} features, {:5} functions  "
      "{:7.3f} s   {:5.1f} % of the GEMM rate\n",
      name, degree, epsilon2, found.engine == Engine::gram ? "gram" : "sample",
      found.selected.size(), source.schema().features.size(), found.functions, time, 100 * share);
  std::fflush(stdout);
}

// Section V.C and table VIII: UFFS orthogonalises the products of all 30 features, GFS those of the
// features it takes.
void beside_uffs(std::size_t rows) {
  const auto set = MemorySource::load(*synthetic_set({SetKind::gfs, rows, 1, false, false}));
  NoProgress progress;
  UffsOptions all;
  all.stages = {{3, 0}};
  all.rule = Rule::paper;
  all.equations = false;
  GfsOptions greedy;
  greedy.family.kind = FamilyKind::multilinear_squares;
  greedy.family.degree = 3;
  greedy.scale = Scale::none;
  greedy.epsilon2 = 1e-3;
  greedy.equations = false;
  GreedyChoice found;
  const double uffs_time = best_of(2, [&] { (void)uffs(*set, all, progress); });
  const double gfs_time = best_of(5, [&] { found = gfs(*set, greedy, progress); });
  require(found.trace.back() <= 1e-3, "more is left than the threshold");
  fmt::print("table VIII  n = {:5}   UFFS {:7.3f} s, GFS {:7.4f} s: {:.0f} x (published 27)\n",
             rows, uffs_time, gfs_time, uffs_time / gfs_time);
  std::fflush(stdout);
}

std::unique_ptr<MemorySource> read(const std::string& path, std::uint64_t last_row) {
  ReadOptions options;
  options.label = "label";
  options.last_row = last_row;
  return MemorySource::load(*open_table(path, options).source);
}

void real_data(const std::string& folder) {
  const auto usps = read(folder + "/USPS.csv.gz", 7291);
  const auto coil = read(folder + "/COIL20.csv.gz", UINT64_MAX);
  for (const Engine engine : {Engine::automatic, Engine::gram, Engine::sample}) {
    // Pixels in [−1, 1] have four times the variance of pixels in [0, 1].
    share_of_rate("USPS", *usps, 2, 4 * 0.03, engine);
    share_of_rate("USPS", *usps, 3, 4 * 0.03, engine);
    share_of_rate("COIL-20", *coil, 2, 0.01, engine);
    share_of_rate("COIL-20", *coil, 3, 0.01, engine);
  }
}

}  // namespace
}  // namespace fsieve::bench

int main(int count, char** words) {
  using namespace fsieve::bench;
  try {
    for (const std::size_t rows : {5000, 10'000, 50'000}) beside_uffs(rows);
    if (count > 1) real_data(words[1]);
  } catch (const fsieve::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  fmt::print("peak memory    {:.0f} MiB\n", peak_mib());
  return 0;
}
