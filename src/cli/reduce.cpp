// fsieve reduce FILE
#include <fmt/format.h>

#include <utility>

#include "app/method_options.h"
#include "app/parameters.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/method_run.h"
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

template <class Result, class Found>
void finish(MethodRun& run, Result result, const Found& found) {
  run.finish(result, kept_features(found));
  run.summarise(
      fmt::format("{} of {} kept", result.selected.size(), counted(result.features, "feature")));
  print_result(std::move(result), run.prints_json());
}

void reduce_by_uffs(const OptionValues& values) {
  const UffsOptions method = uffs_options(values);
  const bool first = relations_first(values);
  const bool listed = values.given("relations");
  MethodRun run(values);
  const RelationsResult found = run.fit([&](const Source& source, Progress& progress) {
    return first ? uffs_by_relations(source, method, progress)
                 : RelationsResult{uffs(source, method, progress), {}};
  });
  ReduceResult result = describe(found.reduced, run.source());
  if (listed) result.relations = found.relations;
  result.parameters = reduce_parameters(method, run.data(), found.reduced.stages, first, listed);
  finish(run, std::move(result), found.reduced);
}

template <class Options, class Method>
void reduce_greedily(const OptionValues& values, const Options& options, const Method& method) {
  MethodRun run(values);
  const GreedyChoice found = run.fit(
      [&](const Source& source, Progress& progress) { return method(source, options, progress); });
  GreedyResult result = describe(found, run.source());
  result.method = values.required("method");
  result.parameters = reduce_parameters(options, run.data());
  finish(run, std::move(result), found);
}

}  // namespace

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
