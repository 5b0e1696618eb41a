// The ranking of `select` as a table of its own.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fsieve/result.h"
#include "table/original_column.h"

namespace fsieve {
namespace {

std::string cell(std::optional<double> value) { return value ? fmt::format("{}", *value) : ""; }

}  // namespace

std::string ranking_table(const Report<SffsResult>& result, char delimiter) {
  const bool stability = result.stability.has_value();
  const bool groups = std::any_of(result.ranking.begin(), result.ranking.end(),
                                  [](const FeatureWorth& entry) { return !entry.group.empty(); });
  std::string table =
      fmt::format("rank{0}name{0}index{0}selected{0}gain{0}p_value{0}q_value", delimiter);
  if (stability) table += fmt::format("{}stability", delimiter);
  if (groups) table += fmt::format("{}group", delimiter);
  table += '\n';
  for (const FeatureWorth& entry : result.ranking) {
    table += fmt::format("{}{}", entry.rank, delimiter);
    io::append_csv_text(entry.name, delimiter, table);
    fmt::format_to(std::back_inserter(table), "{0}{1}{0}{2}{0}{3}{0}{4}{0}{5}", delimiter,
                   entry.index, entry.rank <= result.selected.size() ? 1 : 0, entry.gain,
                   cell(entry.p_value), cell(entry.q_value));
    if (stability) table += delimiter + cell(entry.stability);
    if (groups) {
      table += delimiter;
      io::append_csv_text(entry.group, delimiter, table);
    }
    table += '\n';
  }
  return table;
}

}  // namespace fsieve
