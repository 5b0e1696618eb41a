// UFFS / FOURIER-ORTH: which features are functions of others, and by which equation.
// Papers: Heidari et al., ISIT 2021, section IV; ICML 2021, section 4.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/device.h"
#include "fsieve/engine.h"
#include "fsieve/equation.h"
#include "fsieve/run_context.h"
#include "fsieve/sample.h"
#include "fsieve/source.h"

namespace fsieve {

// Which features are looked at first. automatic: relations among the columns (products, powers and
// ratios, sums, sums of products) decide what is kept, and the walk looks at the rest in an order
// computed from values, so that no answer depends on where columns stand; only of columns that are
// the same up to unit and origin the first stays. Under the papers' own rules, and for sums without
// rows, it is the order of the input.
enum class Order { automatic, input, variance, random };
enum class Groups { any, own };

// One run of the orthogonalisation: products of up to `depth` features within groups of at most
// `group_size` (0: all in one group).
struct Stage {
  int depth = 1;
  std::size_t group_size = 0;
};

struct UffsOptions {
  std::vector<Stage> stages;            // empty: depths 1, 2 and 3 with groups that suit the rows
  std::vector<double> epsilon = {0.1};  // norm threshold, one or one per stage
  Rule rule = Rule::adjusted;
  std::vector<double> share;  // cumulative only: one or one per stage
  Order order = Order::automatic;
  std::optional<Groups> groups;  // default: any under adjusted, own else
  bool prune = false;            // own only: redundant features bring no products
  Engine engine = Engine::automatic;
  bool equations = true;
  std::size_t max_terms = 12;  // adjusted only: a longer equation removes a feature only if exact
  std::vector<std::string> protect;       // names of features that are never removed
  std::optional<double> clusters;         // see interchangeable()
  std::size_t sample = automatic_sample;  // rows that decisions are prepared on
  std::uint64_t seed = 0;                 // for Order::random and the sample
  Device device;                          // of the gram engine's matrix products
};

struct SelectedFeature {
  std::size_t feature = 0;  // position in schema().features; of a saved result: not known
  double norm = 0;
  std::optional<double> adjusted_norm;  // none when undecided
  bool undecided = false;
  std::string name = {};
  std::size_t index = 0;   // zero-based position in the input
  bool estimated = false;  // norms by some of the rows: mostly right to 5 %
  bool unconfirmed =
      false;  // little is left of it, but rows that were not used do not confirm that
};

enum class Reason {
  redundant,
  constant,
  saturated,
  unselected  // gfs and gfa only: more is left of it than the threshold, but k features were chosen
};

struct RemovedFeature {
  std::size_t feature = 0;
  double norm = 0;
  std::optional<double> adjusted_norm;
  int stage = 0;  // counted from 1; 0 for constants
  Reason reason = Reason::redundant;
  std::vector<Equation> equations;  // one, or one per indicator of a categorical column
  std::string name = {};
  std::size_t index = 0;
  bool categorical = false;   // then the equations are of indicators
  std::string baseline = {};  // of a category: the level without an indicator
};

// What a stage did.
struct StageReport {
  Stage stage;
  double epsilon = 0;
  Engine engine = Engine::gram;
  std::size_t features = 0;  // that entered
  std::size_t kept = 0;
  std::size_t groups = 0;
  std::size_t parities = 0;  // non-trivial ones in all groups, each group's constant included
  std::size_t sample = 0;    // rows it was prepared on; 0: all
};

// Columns that can stand for each other.
struct Cluster {
  std::vector<std::size_t> members;  // two or more, the one that stays first
  double r2 = 0;                     // smallest squared correlation of two of them
  std::vector<std::string> names = {};
};

struct UffsResult {
  std::vector<SelectedFeature> selected;  // in input order
  std::vector<RemovedFeature> removed;    // in input order
  std::vector<StageReport> stages;
  std::vector<std::string> warnings;
  std::optional<std::vector<Cluster>> clusters = {};    // interchangeable() only: largest first
  std::optional<std::vector<Equation>> relations = {};  // Order::automatic only: simplest first
};

// Throws Error on options that do not fit together, or on fewer than two rows: too few to judge.
[[nodiscard]] UffsResult uffs(const Source& source, const UffsOptions& options,
                              const RunContext& context = {});

// Instead of equations by several columns: groups of columns of which every two explain at least
// `options.clusters` of each other's variance (complete linkage). One of each group stays, and
// those of `options.protect`; each of the others goes by the equation that writes it by the one
// that stays, if that holds on rows that were not used. Of the other options only `equations`
// counts.
[[nodiscard]] UffsResult interchangeable(const Source& source, const UffsOptions& options,
                                         const RunContext& context = {});

}  // namespace fsieve
