// bench/gfs: the synthetic experiments of the Gram-Schmidt paper, many runs of each.
//
//   bench_gfs_synthetic [RUNS [SEED]]   1000 runs by default, the first of seed 0
#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "data/design.h"
#include "fsieve/generate.h"
#include "fsieve/gfs.h"
#include "generate/recipe.h"
#include "measure.h"

namespace fsieve::bench {
namespace {

constexpr std::size_t latent = 10;

struct Runs {
  std::size_t count = 1000;
  std::size_t first_seed = 0;
};

template <class Options>
Options options_for(double threshold) {
  Options options;
  options.family.kind = FamilyKind::multilinear_squares;
  options.family.degree = 3;
  options.scale = Scale::none;
  options.equations = false;
  if constexpr (std::is_same_v<Options, GfsOptions>) {
    options.epsilon2 = threshold;
  } else {
    options.delta = threshold;
    options.k = latent;
  }
  return options;
}

bool only_latent(const GreedyChoice& found) {
  return std::all_of(found.selected.begin(), found.selected.end(),
                     [](const ChosenFeature& f) { return f.feature < latent; });
}

// Section V.D: are the ten features chosen the latent ones?
void gfa_runs(std::size_t rows, bool pairs, const Runs& runs, double published, double least) {
  std::atomic<std::size_t> right = 0;
  const double time = seconds([&] {
    tbb::parallel_for(runs.first_seed, runs.first_seed + runs.count, [&](std::size_t seed) {
      NoProgress progress;
      const auto set = MemorySource::load(*synthetic_set({SetKind::gfa, rows, seed, false, pairs}));
      const GreedyChoice found = gfa(*set, options_for<GfaOptions>(1e-5), progress);
      if (found.selected.size() == latent && only_latent(found)) ++right;
    });
  });
  const double share = 100 * static_cast<double>(right) / static_cast<double>(runs.count);
  fmt::print(
      "gfa, {:7} n = {:5}   all ten right in {:5.1f} % of {} runs (published {}, aim {})"
      "   {:.1f} s\n",
      pairs ? "pairs," : "triples,", rows, share, runs.count, published, least, time);
}

// Section V.C: in how many runs is a redundant feature picked, and has it then more variance than
// one of its factors?
void gfs_runs(std::size_t rows, const Runs& runs) {
  std::atomic<std::size_t> picked = 0;
  std::atomic<std::size_t> unexplained = 0;
  const double time = seconds([&] {
    tbb::parallel_for(runs.first_seed, runs.first_seed + runs.count, [&](std::size_t seed) {
      NoProgress progress;
      const GenerateOptions made{SetKind::gfs, rows, seed, false, false};
      const auto set = MemorySource::load(*synthetic_set(made));
      const GreedyChoice found = gfs(*set, options_for<GfsOptions>(1e-6), progress);
      if (only_latent(found)) return;
      ++picked;
      const Recipe recipe = make_recipe(made);
      const Design design = make_design(*set, progress);
      for (const ChosenFeature& feature : found.selected) {
        if (feature.feature < latent) continue;
        const auto& factors = recipe.redundant[feature.feature - latent][0].factors;
        const bool larger = std::any_of(factors.begin(), factors.end(), [&](std::size_t factor) {
          return feature.variance > design.features[factor].variance;
        });
        if (!larger) ++unexplained;
      }
    });
  });
  fmt::print(
      "gfs,          n = {:5}   a redundant feature picked in {:.1f} % of {} runs (published "
      "24.6, aim 23 to 27); {} picks without more variance than a factor   {:.1f} s\n",
      rows, 100 * static_cast<double>(picked) / static_cast<double>(runs.count), runs.count,
      unexplained.load(), time);
}

}  // namespace
}  // namespace fsieve::bench

int main(int count, char** words) {
  using namespace fsieve::bench;
  Runs runs;
  if (count > 1) runs.count = std::strtoull(words[1], nullptr, 10);
  if (count > 2) runs.first_seed = std::strtoull(words[2], nullptr, 10);
  gfa_runs(1000, false, runs, 94.6, 90);
  gfa_runs(5000, false, runs, 98.2, 96);
  gfa_runs(10'000, false, runs, 99.0, 97);
  gfa_runs(1000, true, runs, 100, 100);
  gfa_runs(5000, true, runs, 100, 100);
  gfa_runs(10'000, true, runs, 100, 100);
  gfs_runs(5000, runs);
  return 0;
}
