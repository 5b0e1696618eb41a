// A finished `reduce` or `select` run: what is printed, saved, shown again and applied to other
// files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fsieve/equation.h"
#include "fsieve/gfs.h"
#include "fsieve/sffs.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"

namespace fsieve {

// The effective value of an option. std::monostate: not given, and without a default.
using ParameterValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string,
                                    std::vector<double>, std::vector<std::string>>;

struct Parameter {
  std::string key;  // the option's name
  ParameterValue value;
};

struct Timing {
  double read_s = 0;
  double fit_s = 0;
  double total_s = 0;
};

// What a method found, and what of: UffsResult, GreedyChoice or SffsResult.
template <typename Found>
struct Report : Found {
  std::string version;
  std::string method;
  std::vector<Parameter> parameters;
  std::string source;  // file name as given
  std::uint64_t rows = 0;
  std::size_t features = 0;
  std::optional<std::string> label;
  std::vector<IgnoredColumn> ignored;  // in input order
  std::optional<Timing> timing;
};

using SavedResult = std::variant<Report<UffsResult>, Report<SffsResult>, Report<GreedyChoice>>;

// With what there is to say of the table. Throws Error where the result is of another one.
[[nodiscard]] Report<UffsResult> describe(UffsResult found, const Source& source);
[[nodiscard]] Report<SffsResult> describe(SffsResult found, const Source& source);
[[nodiscard]] Report<GreedyChoice> describe(GreedyChoice found, const Source& source);

// One JSON object, as docs/schema/reduce.json and select.json describe it, with a line end.
[[nodiscard]] std::string to_json(const Report<UffsResult>& result);
[[nodiscard]] std::string to_json(const Report<SffsResult>& result);
[[nodiscard]] std::string to_json(const Report<GreedyChoice>& result);
[[nodiscard]] std::string to_json(const SavedResult& result);

// The ranking, a line per feature below a line of names; `delimiter` is between the cells.
[[nodiscard]] std::string ranking_table(const Report<SffsResult>& result, char delimiter);

// Reads what to_json wrote. Throws Error, naming `file`, on anything else.
[[nodiscard]] SavedResult result_from_json(const std::string& text, const std::string& file);

struct TextStyle {
  std::size_t width = 100;  // longer equations are cut
  bool colour = false;
};

// The report for people.
[[nodiscard]] std::string to_report(const Report<UffsResult>& result, const TextStyle& style);
[[nodiscard]] std::string to_report(const Report<SffsResult>& result, const TextStyle& style);
[[nodiscard]] std::string to_report(const Report<GreedyChoice>& result, const TextStyle& style);
[[nodiscard]] std::string to_report(const SavedResult& result, const TextStyle& style);

}  // namespace fsieve
