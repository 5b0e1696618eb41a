#include "call.h"

#include <fmt/format.h>

#include <utility>

#include "fsieve/error.h"

namespace fsieve::python {
namespace {

// Rows that are dropped take their weights along.
std::vector<double> kept_weights(const std::vector<double>& weights,
                                 const std::vector<std::size_t>& kept_rows) {
  if (kept_rows.empty()) return weights;
  std::vector<double> kept;
  kept.reserve(kept_rows.size());
  for (const std::size_t row : kept_rows) kept.push_back(weights.at(row));
  return kept;
}

}  // namespace

OptionValues values_of(const Call& call) {
  for (const CommandSpec& spec : command_table()) {
    if (spec.name != call.command) continue;
    OptionValues values(spec.command);
    for (const auto& [name, text] : call.options) values.set(name, text);
    return values;
  }
  throw Error(fmt::format("no command {}", call.command), Error::Kind::usage);
}

OpenedTable::OpenedTable(const Table& table, const Call& call, const ReadOptions& options,
                         Progress& progress) {
  io::OpenedColumns opened = io::open_columns(kTableName, table.columns(), options, progress);
  source_ = std::move(opened.source);
  warnings_ = std::move(opened.warnings);
  missing_ = std::move(opened.missing);
  if (call.weights.empty()) return;
  weighted_ =
      std::make_unique<WeightedSource>(*source_, kept_weights(call.weights, opened.kept_rows));
}

std::unique_ptr<OpenedTable> opened_table(const Table& table, const Call& call,
                                          const ReadOptions& options, RunRecord& record) {
  auto opened = record.reading([&] {
    return std::make_unique<OpenedTable>(table, call, options, record.context().watcher());
  });
  record.warnings = opened->warnings();
  return opened;
}

}  // namespace fsieve::python
