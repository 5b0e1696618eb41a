#include <utility>

#include "fsieve/error.h"
#include "fsieve/result.h"
#include "fsieve/version.h"

namespace fsieve {
namespace {

template <typename Entries>
void check_of_table(const Entries& entries, const Schema& schema) {
  for (const auto& entry : entries) {
    if (entry.feature < schema.features.size() && schema.features[entry.feature].name == entry.name)
      continue;
    throw Error("the result is not of this table, which has other features", Error::Kind::usage);
  }
}

template <typename Found>
Report<Found> described(Found found, const Source& source, const char* method) {
  const Schema& schema = source.schema();
  check_of_table(found.selected, schema);
  if constexpr (requires { found.removed; }) check_of_table(found.removed, schema);
  Report<Found> report;
  static_cast<Found&>(report) = std::move(found);
  report.version = version();
  report.method = method;
  report.rows = source.rows();
  report.features = schema.features.size();
  if (schema.label) report.label = schema.label->name;
  report.ignored = schema.ignored;
  return report;
}

}  // namespace

Report<UffsResult> describe(UffsResult found, const Source& source) {
  return described(std::move(found), source, "uffs");
}

Report<SffsResult> describe(SffsResult found, const Source& source) {
  return described(std::move(found), source, "sffs");
}

Report<GreedyChoice> describe(GreedyChoice found, const Source& source) {
  const char* const method = found.chosen_by == GreedyMethod::gfa ? "gfa" : "gfs";
  return described(std::move(found), source, method);
}

}  // namespace fsieve
