#include "methods/uffs/problem.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "methods/uffs/protected_features.h"
#include "methods/uffs/stages.h"
#include "source/trusted_source.h"

namespace fsieve::inline methods {
namespace {

// To about twelve digits: variances that are equal but for rounding keep the input order.
double rounded(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 40)), exponent - 40);
}

}  // namespace

Problem::Problem(const Source& table, const UffsOptions& asked, const RunContext& around)
    : source(table),
      options(asked),
      context(around),
      progress(around.watcher()),
      design(Products::design_of(table, progress)),
      products(Products::of(table, design)),
      groups(effective_groups(asked)),
      stays(protected_features(table.schema(), asked.protect)) {}

bool relations_first(const Source& source, const UffsOptions& options) {
  return effective_order(options) == Order::automatic && has_rows(source);
}

Features running_order(const Problem& problem) {
  const std::vector<DesignFeature>& features = problem.design.features;
  Features order;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (!features[j].constant) order.push_back(j);
  }
  if (problem.options.order == Order::variance) {
    const auto variance = [&](std::size_t j) { return rounded(features[j].variance); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return variance(a) > variance(b); });
  } else if (problem.options.order == Order::random) {
    // Fisher and Yates by hand: std::shuffle differs between libraries.
    std::mt19937_64 random(problem.options.seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  }
  return order;
}

}  // namespace fsieve::methods
