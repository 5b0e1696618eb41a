#include "methods/forward/stability.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/parallel.h"
#include "bits/subset_tiles.h"
#include "fsieve/error.h"

namespace fsieve::inline methods {
namespace {

constexpr std::array thresholds{0.6, 0.75, 0.9};

// Which half every row is in: of each class as many in one as in the other, but for one.
std::vector<bool> halves(const Label& label, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(label.rows);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  // The first row of a class goes where fewer rows are, so that both halves are as large.
  std::vector<std::size_t> seen(std::max<std::size_t>(1, label.classes.size()));
  std::vector<bool> first_half(label.rows);
  std::vector<bool> begins(seen.size());
  std::size_t begun = 0;
  for (const std::size_t row : order) {
    const std::size_t group = label.classification ? label.codes[row] : 0;
    if (seen[group] == 0) begins[group] = begun++ % 2 == 0;
    first_half[row] = (seen[group]++ % 2 == 0) == begins[group];
  }
  return first_half;
}

// The rows of one half with their weights, the others with none.
std::vector<double> weights_of_half(const Source& source, const std::vector<bool>& first_half,
                                    bool first) {
  const auto given = source.weights();
  std::vector<double> weights(source.rows());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (first_half[i] == first) weights[i] = given.empty() ? 1 : given[i];
  }
  return weights;
}

// A half in which nothing can be told (a class is missing, all features are constant) chooses
// nothing.
std::vector<std::size_t> chosen_in_half(const Source& source, const Choose& choose) {
  try {
    return choose(source);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) throw;
    return {};
  }
}

std::size_t count_groups_once(const std::vector<std::size_t>& features,
                              const std::vector<Together>& groups) {
  std::size_t count = features.size();
  for (const Together& group : groups) {
    const auto chosen = std::count_if(features.begin(), features.end(), [&](std::size_t feature) {
      return std::find(group.features.begin(), group.features.end(), feature) !=
             group.features.end();
    });
    if (chosen > 1) count -= static_cast<std::size_t>(chosen) - 1;
  }
  return count;
}

}  // namespace

Stability stability_of(const Source& source, const Label& label, std::size_t samples,
                       std::uint64_t seed, std::size_t candidates, const Wishes& wishes,
                       const Choose& choose, Progress& progress) {
  std::vector<std::vector<std::size_t>> chosen(samples);
  SharedProgress shared(progress, "choosing from half-samples", static_cast<double>(samples));
  in_parallel_one_by_one(samples, [&](std::size_t b) {
    // A thread that waits within one half-sample begins no other, whose tables would add up.
    tbb::this_task_arena::isolate([&] {
      const std::vector<bool> first_half = halves(label, seed + b / 2 * 0x9E3779B97F4A7C15ULL);
      const WeightedSource half(source, weights_of_half(source, first_half, b % 2 == 0));
      chosen[b] = chosen_in_half(half, choose);
    });
    shared.add(1);
  });
  shared.end();

  Stability stability;
  stability.shares.resize(source.schema().features.size());
  double total = 0;
  for (const auto& features : chosen) {
    for (const std::size_t feature : features) stability.shares[feature] += 1;
    total += static_cast<double>(count_groups_once(features, wishes.groups));
  }
  for (double& share : stability.shares) share /= static_cast<double>(samples);
  StabilityReport& report = stability.report;
  report.samples = samples;
  report.mean_selected = total / static_cast<double>(samples);
  const auto kept = static_cast<double>(wishes.keep.size());
  const double found = std::max(0.0, report.mean_selected - kept);
  const double free = std::max(1.0, static_cast<double>(candidates) - kept);
  for (const double threshold : thresholds) {
    const auto reach = std::count_if(stability.shares.begin(), stability.shares.end(),
                                     [&](double share) { return share >= threshold; });
    report.bounds.push_back(
        {threshold, static_cast<std::size_t>(reach), found * found / ((2 * threshold - 1) * free)});
  }
  return stability;
}

}  // namespace fsieve::methods
