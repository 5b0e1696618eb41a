// fsieve reduce FILE
#include <fmt/format.h>

#include <utility>

#include "app/method_options.h"
#include "app/parameters.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/method_run.h"
#include "cli/work.h"
#include "fsieve/relations.h"

namespace fsieve::cli {
namespace {

// Positions of the selected features.
template <class Found>
std::vector<std::size_t> kept_features(const Found& found) {
  std::vector<std::size_t> features;
  features.reserve(found.selected.size());
  for (const auto& feature : found.selected) features.push_back(feature.feature);
  return features;
}

template <class Result>
void finish(MethodRun& run, Result result, std::vector<std::size_t> features) {
  run.finish(result, std::move(features));
  run.summarise(
      fmt::format("{} of {} kept", result.selected.size(), counted(result.features, "feature")));
  print_result(std::move(result), run.prints_json());
}

void reduce_by_uffs(const OptionValues& values) {
  const UffsWork work(values);
  MethodRun run(values);
  Worked<ReduceResult> worked = work.on(run);
  finish(run, std::move(worked.result), std::move(worked.features));
}

template <class Options, class Method>
void reduce_greedily(const OptionValues& values, const Options& options, const Method& method) {
  MethodRun run(values);
  const GreedyChoice found = run.fit(
      [&](const Source& source, Progress& progress) { return method(source, options, progress); });
  GreedyResult result = describe(found, run.source());
  result.method = values.required("method");
  result.parameters = reduce_parameters(options, run.data());
  finish(run, std::move(result), kept_features(found));
}

}  // namespace

UffsWork::UffsWork(const OptionValues& values)
    : options_(uffs_options(values)),
      first_(relations_first(values)),
      listed_(values.given("relations")) {}

Worked<ReduceResult> UffsWork::on(MethodRun& run) const {
  const RelationsResult found = run.fit([&](const Source& source, Progress& progress) {
    if (options_.clusters) return RelationsResult{interchangeable(source, options_, progress), {}};
    return first_ ? uffs_by_relations(source, options_, progress)
                  : RelationsResult{uffs(source, options_, progress), {}};
  });
  ReduceResult result = describe(found.reduced, run.source());
  if (listed_) result.relations = found.relations;
  if (options_.clusters) result.clusters = named_clusters(found.reduced, run.source());
  result.parameters =
      reduce_parameters(options_, run.data(), found.reduced.stages, first_, listed_);
  return {std::move(result), kept_features(found.reduced)};
}

void reduce(const OptionValues& values) {
  switch (reduce_method(values)) {
    case ReduceMethod::uffs:
      return reduce_by_uffs(values);
    case ReduceMethod::gfs:
      return reduce_greedily(values, gfs_options(values), gfs);
    case ReduceMethod::gfa:
      return reduce_greedily(values, gfa_options(values), gfa);
  }
}

}  // namespace fsieve::cli
