#include "table/column_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/edit_distance.h"
#include "base/shell_word.h"
#include "base/shown_text.h"
#include "fsieve/error.h"
#include "table/cell_text.h"
#include "table/glob.h"
#include "table/table_limits.h"

namespace fsieve::io::inline table {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return out;
}

// ` (did you mean "food"?)`, or nothing when no name is near.
std::string nearest_hint(std::string_view wanted, const std::vector<FileColumn>& columns) {
  if (wanted.size() > longest_typed) return "";
  const std::string typed = lower(wanted);
  const std::string* nearest = nullptr;
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 2) + 1;
  for (const FileColumn& column : columns) {
    if (column.name.size() > longest_typed) continue;
    const std::size_t distance = edit_distance(typed, lower(column.name), best);
    if (distance < best) {
      best = distance;
      nearest = &column.name;
    }
  }
  return nearest == nullptr ? "" : fmt::format(" (did you mean \"{}\"?)", shown(*nearest));
}

class NameTable {
 public:
  NameTable(std::string_view file_name, const std::vector<FileColumn>& columns)
      : file_name_(file_name), columns_(columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!is_utf8(columns[i].name)) {
        throw Error(fmt::format("{}: the name of column {} is not UTF-8", file_name, i + 1));
      }
      const auto [earlier, fresh] = positions_.emplace(columns[i].name, i);
      if (!fresh) {
        throw Error(fmt::format("{}: columns {} and {} are both named \"{}\"", file_name,
                                earlier->second + 1, i + 1, shown(columns[i].name)));
      }
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return positions_.count(name) > 0; }

  [[nodiscard]] bool has_dated(const std::string& name) const {
    return find_dated(name) != positions_.end();
  }

  [[nodiscard]] std::size_t find(const std::string& name) const {
    const auto found = find_dated(name);
    if (found == positions_.end()) {
      throw Error(fmt::format("{}: no column \"{}\"{}", file_name_, shown(name),
                              nearest_hint(name, columns_)),
                  Error::Code::no_such_column);
    }
    return found->second;
  }

  // A name with glob characters in it may be meant as it is.
  void mark(const std::string& glob, std::vector<bool>& marks) const {
    if (const auto exact = find_dated(glob); exact != positions_.end()) {
      marks[exact->second] = true;
      return;
    }
    const Glob pattern(glob);
    bool any = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!pattern.matches(columns_[i].name)) continue;
      marks[i] = true;
      any = true;
    }
    if (any) return;
    if (glob.find_first_of("*?[") == std::string::npos) {
      throw Error(fmt::format("{}: no column \"{}\"{}", file_name_, shown(glob),
                              nearest_hint(glob, columns_)),
                  Error::Code::no_such_column);
    }
    throw Error(fmt::format("{}: no column matches \"{}\"", file_name_, shown(glob)));
  }

 private:
  using Positions = std::unordered_map<std::string_view, std::size_t>;

  // A column, or the one whose part is named.
  [[nodiscard]] Positions::const_iterator find_dated(const std::string& name) const {
    const auto found = positions_.find(name);
    if (found != positions_.end()) return found;
    const auto part = named_part(name);
    return part ? positions_.find(part->column) : found;
  }

  std::string_view file_name_;
  const std::vector<FileColumn>& columns_;
  Positions positions_;
};

}  // namespace

std::vector<ChosenColumn> choose_columns(std::string_view file_name,
                                         const std::vector<FileColumn>& columns,
                                         const ReadOptions& options) {
  if (columns.size() > kMostColumns) fail_too_many_columns(file_name);
  const NameTable names(file_name, columns);
  std::vector<bool> used(columns.size(), options.columns.empty());
  std::vector<bool> wanted(columns.size(), false);
  for (const std::string& glob : options.use) names.mark(glob, wanted);
  for (const std::string& name : options.named) {
    if (names.has_dated(name)) wanted[names.find(name)] = true;  // else its method complains
  }
  for (const std::string& name : options.columns) {
    if (options.literal_columns) {
      used[names.find(name)] = true;
    } else {
      names.mark(name, used);
    }
    if (names.has(name)) wanted[names.find(name)] = true;
  }
  std::vector<bool> excluded(columns.size(), false);
  for (const std::string& glob : options.exclude) names.mark(glob, excluded);
  std::optional<std::size_t> label;
  if (options.label && (!options.label_may_be_absent || names.has(*options.label))) {
    label = names.find(*options.label);
  }
  std::vector<bool> levels(columns.size(), false);
  for (const std::string& glob : options.categorical) names.mark(glob, levels);

  std::vector<bool> needed(columns.size(), !options.needed);
  std::vector<std::optional<std::vector<DatePart>>> parts(columns.size());
  for (const std::string& name : options.needed.value_or(std::vector<std::string>{})) {
    const std::size_t i = names.find(name);
    needed[i] = true;
    if (!parts[i]) parts[i].emplace();
    if (!names.has(name)) parts[i]->push_back(named_part(name)->part);
  }
  const auto choose = [&](std::size_t i) {
    const bool compared = options.needed && columns[i].name == options.compared;
    const bool is_label = label == i;
    return ChosenColumn{columns[i].name,
                        i,
                        is_label,
                        levels[i],
                        compared && !needed[i],
                        needed[i] || compared || is_label,
                        wanted[i],
                        columns[i].is_date,
                        parts[i]};
  };

  std::vector<ChosenColumn> chosen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (used[i] && !excluded[i] && label != i) chosen.push_back(choose(i));
  }
  const bool any = std::any_of(chosen.begin(), chosen.end(), [](const ChosenColumn& column) {
    return column.is_read && !column.passenger;
  });
  if (!any) throw Error(fmt::format("{}: no feature columns are left", file_name));
  if (label) chosen.push_back(choose(*label));
  for (const ChosenColumn& column : chosen) {
    const std::string& type = columns[column.index].unusable_type;
    if (type.empty() || column.passenger || !column.is_read) continue;
    throw Error(
        fmt::format("{}: column \"{}\" has type {}, which is neither number nor text (leave it "
                    "out: --exclude {})",
                    file_name, shown(column.name), type, typed_name(column.name)));
  }
  return chosen;
}

}  // namespace fsieve::io::table
