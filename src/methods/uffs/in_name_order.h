// Runs whose answers do not depend on where columns stand.
#pragma once

#include "base/run_context.h"
#include "equation/named_removals.h"
#include "fsieve/uffs.h"
#include "source/sorted_source.h"

namespace fsieve::inline methods {

inline void name_features(UffsResult& result, const Schema& schema) {
  put_names(result.selected, schema);
  name_removals(result.removed, schema);
}

// What run(table) finds where the columns stand in byte order of their names, told of those of the
// source.
template <typename Run>
UffsResult in_name_order(const Source& source, const RunContext& context, const Run& run) {
  const SortedSource sorted(source);
  UffsResult result = within(context, [&] { return run(sorted); });
  put_back(result.selected, sorted);
  put_back(result.removed, sorted);
  name_features(result, source.schema());
  if (!result.clusters) return result;
  for (Cluster& cluster : *result.clusters) {
    for (std::size_t& member : cluster.members) {
      member = sorted.position(member);
      cluster.names.push_back(source.schema().features[member].name);
    }
  }
  return result;
}

}  // namespace fsieve::methods
