// fsieve reduce FILE
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/method_run.h"
#include "explain/number_text.h"
#include "options/method_options.h"
#include "options/parameters.h"

namespace fsieve::cli {
namespace {

std::vector<std::size_t> kept_features(const UffsResult& found) {
  std::vector<std::size_t> features;
  features.reserve(found.selected.size());
  for (const SelectedFeature& feature : found.selected) features.push_back(feature.feature);
  return features;
}

}  // namespace

void reduce(const OptionValues& values) {
  const UffsOptions method = uffs_options(values);
  MethodRun run(values);
  const UffsResult found = run.fit(
      [&](const Source& source, Progress& progress) { return uffs(source, method, progress); });
  ReduceResult result = describe(found, run.source());
  result.parameters = reduce_parameters(method, run.data(), found.stages);
  run.finish(result, kept_features(found));
  summarise(
      fmt::format("{} of {} kept", result.selected.size(), counted(result.features, "feature")),
      values);
  print_result(result, values);
}

}  // namespace fsieve::cli
