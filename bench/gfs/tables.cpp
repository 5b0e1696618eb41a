// bench/gfs: numbers of features that GFS selects on real data, over the grids of tables II to IV
// of the Gram-Schmidt paper, beside the published ones.
//
//   bench_gfs_tables FOLDER           with USPS.csv.gz, COIL20.csv.gz and crx.csv.gz in it
//
// docs/gfs.md says why the published numbers differ.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fsieve/error.h"
#include "fsieve/gfs.h"
#include "fsieve/io.h"
#include "measure.h"

namespace fsieve::bench {
namespace {

struct Grid {
  std::vector<double> epsilon2;
  std::vector<std::vector<int>> published;  // by degree
};

// The choices do not depend on epsilon2, only where they end: one run per degree gives the row.
std::size_t selected_at(const GreedyChoice& found, double epsilon2) {
  const auto end = std::find_if(found.trace.begin(), found.trace.end(),
                                [&](double left) { return left <= epsilon2; });
  return static_cast<std::size_t>(end - found.trace.begin());
}

void print_grid(const std::string& title, const Source& source, Scale scale, const Grid& grid) {
  fmt::print("\n{}: selected features (published)\n  degree", title);
  for (const double epsilon2 : grid.epsilon2)
    fmt::print("  {:>11}", fmt::format("ε² {}", epsilon2));
  fmt::print("\n");
  for (std::size_t degree = 1; degree <= grid.published.size(); ++degree) {
    GfsOptions options;
    options.family.degree = static_cast<int>(degree);
    options.scale = scale;
    options.equations = false;
    options.epsilon2 = *std::min_element(grid.epsilon2.begin(), grid.epsilon2.end());
    NoProgress progress;
    GreedyChoice found;
    const double time = seconds([&] { found = gfs(source, options, progress); });
    fmt::print("  {:6}", degree);
    for (std::size_t e = 0; e < grid.epsilon2.size(); ++e) {
      fmt::print("  {:>11}", fmt::format("{} ({})", selected_at(found, grid.epsilon2[e]),
                                         grid.published[degree - 1][e]));
    }
    fmt::print("   {} functions{}, {} engine, {:.1f} s\n", found.functions,
               found.saturated ? ", saturated" : "",
               found.engine == Engine::gram ? "gram" : "sample", time);
    std::fflush(stdout);
  }
}

std::unique_ptr<MemorySource> read(const std::string& path, ReadOptions options,
                                   const std::string& label) {
  options.label = label;
  return MemorySource::load(*open_table(path, options).source);
}

// (x + 1) / 2: pixels in [−1, 1] to [0, 1].
MemorySource to_unit_interval(const MemorySource& source) {
  std::vector<double> values(source.in_memory().begin(), source.in_memory().end());
  for (std::size_t i = 0; i < source.rows() * source.schema().features.size(); ++i) {
    values[i] = (values[i] + 1) / 2;
  }
  return {source.schema(), std::move(values), source.rows()};
}

void run(const std::string& folder) {
  ReadOptions training;
  training.last_row = 7291;
  const auto usps = read(folder + "/USPS.csv.gz", training, "label");
  print_grid("USPS, first 7291 rows, pixels in [0, 1], --scale none", to_unit_interval(*usps),
             Scale::none,
             {{0.03, 0.04, 0.05, 0.06, 0.07, 0.08},
              {{85, 60, 48, 41, 36, 29},
               {39, 31, 25, 21, 18, 16},
               {25, 20, 18, 16, 15, 12},
               {24, 17, 14, 13, 12, 11}}});
  const auto coil = read(folder + "/COIL20.csv.gz", {}, "label");
  print_grid(
      "COIL-20, --scale none", *coil, Scale::none,
      {{0.01, 0.0125, 0.015, 0.0175, 0.02},
       {{98, 76, 60, 50, 40}, {36, 21, 17, 15, 14}, {36, 20, 13, 11, 9}, {31, 19, 13, 10, 9}}});
  ReadOptions credit;
  credit.na = {"?"};
  credit.missing = Missing::mean;
  const auto crx = read(folder + "/crx.csv.gz", credit, "A16");
  const Grid published{{0.1, 0.4}, {{14, 13}, {13, 12}, {13, 12}, {13, 12}}};
  print_grid("crx, --missing mean, --scale standard, text columns as indicators", *crx,
             Scale::standard, published);
}

}  // namespace
}  // namespace fsieve::bench

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: bench_gfs_tables FOLDER\n");
    return 2;
  }
  try {
    fsieve::bench::run(words[1]);
  } catch (const fsieve::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
