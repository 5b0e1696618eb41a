// GFS and GFA: greedy choice of features, given a family of functions by which features may depend
// on each other.
// Paper: Yaghooti, Raviv, Sinopoli, Gram-Schmidt Methods for Unsupervised Feature Selection,
// algorithms 1 to 3.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/equation.h"
#include "fsieve/family.h"
#include "fsieve/run_context.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"

namespace fsieve {

struct GreedyOptions {
  Family family;
  std::optional<std::size_t> k;  // at most this many features; none: as many as the threshold says
  Scale scale = Scale::standard;
  Engine engine = Engine::automatic;
  bool equations = true;
  Device device;  // of the gram engine's matrix products
};

struct GfsOptions : GreedyOptions {
  double epsilon2 = 0.01;  // the end, when no feature has more variance left
};

struct GfaOptions : GreedyOptions {
  double delta = 1e-5;  // features with less variance left are functions of the chosen ones
};

struct ChosenFeature {
  std::size_t feature = 0;   // position in schema().features
  double variance = 0;       // its own; the largest of its indicators' for a categorical column
  double variance_left = 0;  // when it was chosen
  std::string name = {};
  std::size_t index = 0;  // zero-based position in the input
};

struct OtherFeature {
  std::size_t feature = 0;
  double variance_left = 0;  // in the end
  Reason reason = Reason::redundant;
  std::vector<Equation> equations;  // one, or one per indicator of a categorical column
  std::string name = {};
  std::size_t index = 0;
  bool categorical = false;   // then the equations are of indicators
  std::string baseline = {};  // of a category: the level without an indicator
};

// What z(name) means in the equations of user functions: (x - mean) / deviation.
struct StandardUnit {
  std::string name;  // of a feature, or of an indicator
  double mean = 0;
  double deviation = 0;
};

// Theorem 1 of the paper for discrete features: the entropy, in bits, that all features together
// have left when the chosen ones are known. About the rows at hand.
struct EntropyBound {
  double bits = 0;
  double trivial_bits = 0;  // log2 of the numbers of values: what is true of any choice
  bool vacuous = false;     // bits says no more than trivial_bits
};

enum class GreedyMethod { gfs, gfa };

struct GreedyChoice {
  std::vector<ChosenFeature> selected;  // in order of choice
  std::vector<OtherFeature> removed;    // in input order
  std::vector<double> trace;       // largest variance left before the first choice and after each
  std::size_t functions = 0;       // kept, the constant included
  bool saturated = false;          // the functions fill all dimensions that the rows have
  Engine engine = Engine::sample;  // the one that finished the run
  std::vector<StandardUnit> standardised;  // where equations need them
  std::optional<EntropyBound> entropy_bound;
  std::vector<std::string> warnings;
  GreedyMethod chosen_by = GreedyMethod::gfs;
};

// GFS (algorithm 2): again and again the feature with most variance left, until none has more than
// epsilon2. Ties, up to a relative 1e-10, go to the feature that comes first by name.
// Throws Error on options that do not fit together, on fewer than two rows, where k exceeds the
// number of features, and where a user function has a value that is not finite.
[[nodiscard]] GreedyChoice gfs(const Source& source, const GfsOptions& options,
                               const RunContext& context = {});

// GFA (algorithm 3): again and again the feature with the largest variance of its own (in original
// units, whatever the scale), among those with at least delta left.
[[nodiscard]] GreedyChoice gfa(const Source& source, const GfaOptions& options,
                               const RunContext& context = {});

}  // namespace fsieve
