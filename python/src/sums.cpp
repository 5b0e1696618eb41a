#include "sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/data_options.h"
#include "app/method_options.h"
#include "app/run.h"
#include "fsieve/error.h"
#include "methods.h"

namespace fsieve::python {
namespace {

// The sums of the deepest stage; automatic stages go to depth 2, where the memory allows it. Of so
// many parts of the rows apart as fit into the memory: ten, if possible.
ParitySums sums_for(const UffsOptions& options, std::size_t allowed, const Schema& schema) {
  const auto memory = static_cast<double>(allowed);
  const std::size_t columns = schema.features.size();
  const auto least = [&](int depth) {
    return ParitySums::least_parts * ParitySums::bytes(columns, depth);
  };
  int depth = options.stages.empty() && least(2) <= memory ? 2 : 1;
  for (const Stage& stage : options.stages) depth = std::max(depth, stage.depth);
  if (!options.stages.empty() && least(depth) > memory) {
    constexpr double mebibyte = 1 << 20;
    throw Error(fmt::format(
        "the inner products of all products of up to {} of {} columns take {:.0f} MiB; allow it "
        "with --memory {:.0f}M, or use a smaller depth",
        depth, columns, least(depth) / mebibyte, least(depth) / mebibyte + 1));
  }
  const auto parts = static_cast<std::size_t>(std::clamp(memory / ParitySums::bytes(columns, depth),
                                                         double{ParitySums::least_parts},
                                                         double{ParitySums::most_parts}));
  return {schema, depth, parts};
}

}  // namespace

Sums::Sums(const std::vector<std::string>& names, int depth, const std::string& bytes) {
  if (names.empty()) return;
  Schema schema;
  for (const std::string& name : names) {
    schema.features.push_back({name, schema.features.size(), ColumnKind::numeric, {}});
  }
  sums_ = std::make_unique<ParitySums>(schema, depth);
  std::istringstream in(bytes);
  sums_->load(in);
}

void Sums::add(const Table& chunk, const Call& call, Progress& progress) {
  const OptionValues values = values_of(call);
  const UffsOptions options = uffs_options(values);
  const RunContext context = run_context(values, progress);
  ReadOptions data = read_options(values);
  data.set_aside = false;  // what one chunk says of a column the next may take back
  if (data.missing == Missing::mean) {
    throw Error("--missing mean does not go with chunks: the mean of all rows is not known yet",
                Error::Kind::usage);
  }
  on_threads_of(values, [&] {
    const OpenedTable table(chunk, call, data, progress);
    const Schema& schema = table.source().schema();
    if (!sums_) {
      auto fresh = std::make_unique<ParitySums>(sums_for(options, context.memory, schema));
      fresh->add(table.source(), progress);
      sums_ = std::move(fresh);
    } else {
      sums_->add(table.source(), progress);
    }
  });
}

void Sums::merge(const Sums& other) {
  if (!other.sums_) return;
  if (!sums_) {
    sums_ = std::make_unique<ParitySums>(*other.sums_);
  } else {
    sums_->merge(*other.sums_);
  }
}

std::string Sums::reduce(const Call& call, Progress& progress) const {
  if (!sums_) throw Error("no rows were added yet");
  return run(SummedSource(*sums_), call, progress);
}

std::vector<std::string> Sums::names() const {
  std::vector<std::string> names;
  if (!sums_) return names;
  for (const Column& column : sums_->schema().features) names.push_back(column.name);
  return names;
}

std::string Sums::bytes() const {
  std::ostringstream out;
  if (sums_) sums_->save(out);
  return out.str();
}

}  // namespace fsieve::python
