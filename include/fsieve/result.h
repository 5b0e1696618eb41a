// A finished `reduce` or `select` run by names: what is printed, saved, shown again and applied to
// other files.
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

struct KeptFeature {
  std::string name;
  std::size_t index = 0;                // zero-based position in the input file
  std::optional<double> norm;           // none: not finite
  std::optional<double> adjusted_norm;  // none: undecided
  bool undecided = false;
};

struct DroppedFeature {
  std::string name;
  std::size_t index = 0;
  std::optional<double> norm;
  std::optional<double> adjusted_norm;
  int stage = 0;  // counted from 1; 0 for constants
  Reason reason = Reason::redundant;
  bool categorical = false;         // then one equation per indicator
  std::vector<Equation> equations;  // empty: none was asked for or found
  std::string baseline = {};        // of a category: the level without an indicator
};

// Columns that can stand for each other, by name.
struct NamedCluster {
  std::vector<std::string> members;  // the one that stays first
  std::optional<double> r2;          // smallest squared correlation of two of them
};

struct Timing {
  double read_s = 0;
  double fit_s = 0;
  double total_s = 0;
};

struct ReduceResult {
  std::string version;
  std::string method = "uffs";
  std::vector<Parameter> parameters;
  std::string source;  // file name as given
  std::uint64_t rows = 0;
  std::size_t features = 0;
  std::optional<std::string> label;
  std::vector<KeptFeature> selected;    // in input order
  std::vector<DroppedFeature> removed;  // in input order
  std::vector<StageReport> stages;
  std::vector<IgnoredColumn> ignored;                 // in input order
  std::optional<std::vector<Equation>> relations;     // none: not asked for
  std::optional<std::vector<NamedCluster>> clusters;  // none: not asked for
  std::vector<std::string> warnings;
  std::optional<Timing> timing;
};

// A feature that gfs or gfa chose.
struct TakenFeature {
  std::string name;
  std::size_t index = 0;  // zero-based position in the input file
  double variance = 0;
  double variance_left = 0;  // when it was chosen
};

// One that they did not.
struct RestFeature {
  std::string name;
  std::size_t index = 0;
  double variance_left = 0;
  Reason reason = Reason::redundant;
  bool categorical = false;         // then one equation per indicator
  std::vector<Equation> equations;  // empty: none was asked for
  std::string baseline = {};        // of a category: the level without an indicator
};

struct GreedyResult {
  std::string version;
  std::string method = "gfs";  // or gfa
  std::vector<Parameter> parameters;
  std::string source;  // file name as given
  std::uint64_t rows = 0;
  std::size_t features = 0;
  std::optional<std::string> label;
  std::vector<TakenFeature> selected;  // in order of choice
  std::vector<RestFeature> removed;    // in input order
  std::vector<double> trace;
  std::size_t functions = 0;
  bool saturated = false;
  Engine engine = Engine::sample;
  std::vector<StandardUnit> standardised;
  std::optional<EntropyBound> entropy_bound;
  std::vector<IgnoredColumn> ignored;  // in input order
  std::vector<std::string> warnings;
  std::optional<Timing> timing;
};

struct RankedFeature {
  std::string name;
  std::size_t index = 0;  // zero-based position in the input file
  std::size_t rank = 0;   // counted from 1
  std::optional<int> round;
  std::optional<double> score;  // none: not finite
  std::optional<double> p_value;
};

struct RankedSubset {
  std::vector<std::string> features;
  std::optional<double> score;
};

// A feature's place among all, selected or not.
struct RankingEntry {
  std::string name;
  std::size_t index = 0;  // zero-based position in the input file
  std::size_t rank = 0;   // counted from 1
  double gain = 0;
  std::optional<double> p_value;
  std::optional<double> q_value;
  std::optional<double> stability;
  std::string group;  // empty: none
};

struct NamedSubstitute {
  std::string name;
  std::string instead_of;
  double loss = 0;
};

struct SelectResult {
  std::string version;
  std::string method = "sffs";
  Measure measure = Measure::m_n;
  std::vector<Parameter> parameters;
  std::string source;  // file name as given
  std::uint64_t rows = 0;
  std::size_t features = 0;
  std::string label;
  std::optional<std::vector<std::string>> classes;  // of a classification
  std::optional<std::uint64_t> sample_rows;         // that were searched, where not all were
  std::vector<RankedFeature> selected;              // best first
  std::vector<RankedSubset> subsets;
  std::vector<RankingEntry> ranking;  // best first; empty: it was not asked for
  std::vector<NamedSubstitute> substitutes;
  std::optional<StabilityReport> stability;
  std::vector<PathPoint> path;  // -k auto
  std::optional<double> accuracy_estimate;
  std::optional<double> r2_estimate;
  std::string estimate_model;  // empty: there is no estimate
  std::optional<LossBound> bound;
  std::vector<DroppedFeature> removed;  // before the search, in input order
  std::vector<IgnoredColumn> ignored;   // in input order
  std::vector<std::string> warnings;
  std::optional<Timing> timing;
};

using SavedResult = std::variant<ReduceResult, SelectResult, GreedyResult>;

// Puts names to the positions of a run.
[[nodiscard]] ReduceResult describe(const UffsResult& found, const Source& source);
[[nodiscard]] std::vector<NamedCluster> named_clusters(const UffsResult& found,
                                                       const Source& source);
[[nodiscard]] SelectResult describe(const SffsResult& found, const Source& source);
[[nodiscard]] GreedyResult describe(const GreedyChoice& found, const Source& source);

// One JSON object, as docs/schema/reduce.json and select.json describe it, with a line end.
[[nodiscard]] std::string to_json(const ReduceResult& result);
[[nodiscard]] std::string to_json(const SelectResult& result);
[[nodiscard]] std::string to_json(const GreedyResult& result);
[[nodiscard]] std::string to_json(const SavedResult& result);

// The ranking, a line per feature below a line of names; `delimiter` is between the cells.
[[nodiscard]] std::string ranking_table(const SelectResult& result, char delimiter);

// Reads what to_json wrote. Throws Error, naming `file`, on anything else.
[[nodiscard]] SavedResult result_from_json(const std::string& text, const std::string& file);

struct TextStyle {
  std::size_t width = 100;  // longer equations are cut
  bool colour = false;
};

// The report for people.
[[nodiscard]] std::string to_report(const ReduceResult& result, const TextStyle& style);
[[nodiscard]] std::string to_report(const SelectResult& result, const TextStyle& style);
[[nodiscard]] std::string to_report(const GreedyResult& result, const TextStyle& style);
[[nodiscard]] std::string to_report(const SavedResult& result, const TextStyle& style);

}  // namespace fsieve
