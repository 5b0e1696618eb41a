// SFFS: which features predict the label best, jointly.
// Paper: Heidari et al., ICML 2021, sections 2.2 to 4.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/device.h"
#include "fsieve/measure.h"
#include "fsieve/run_context.h"
#include "fsieve/sample.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"

namespace fsieve {

enum class Search { forward, unite, beam };  // unite: Algorithm 1, the union of the best subsets

// What a real-valued feature brings: its column, or with it, where they say more, polynomials of
// its ranks, so that any dependence on it is seen.
enum class Shape { plain, curve };

// Columns that go together: they are taken as one, and counted as one.
struct FeatureGroup {
  std::string name;
  std::vector<std::string> columns;  // names, or patterns (* and ? are wild)
};

struct FeatureCost {
  std::string name;
  double cost = 1;
};

struct SffsOptions {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of reading
  // None: as many as the first round of the search finds, at level alpha; or, where `best_size`, as
  // many as predict best in cross-validation, which may be none.
  std::optional<std::size_t> k;
  bool best_size = false;
  int depth = 2;  // t: features judged together
  Search search = Search::forward;
  std::size_t beam = 1;                      // states kept per step under Search::beam
  Score score = Score::l1;                   // of Search::unite
  std::optional<std::vector<Stage>> reduce;  // UFFS first; none: not
  bool equations = true;                     // of the features that UFFS removes
  std::size_t bins = 0;                      // quantile bins for numeric features (0: none)
  Task task = Task::automatic;
  std::size_t top = 20;                   // subsets reported
  double alpha = 0.01;                    // level at which a step convinces
  std::size_t permutations = 0;           // shuffles of the test (0: the F test)
  double scan_limit = 1e12;               // subset x sample products of a scan that is still done
  double delta = 0.05;                    // level of Theorem 2's bound
  std::size_t folds = 5;                  // parts of cross-validation (0: no estimates)
  std::size_t sample = automatic_sample;  // rows that decisions are prepared on
  std::uint64_t seed = 0;
  Device device;  // of the union, on two-valued features, and of products in the forward search

  Shape shape = Shape::curve;  // of the forward search and the beam
  bool balanced = false;       // every class weighs the same
  bool robust = false;         // a number as label enters by the normal scores of its ranks

  // By names of columns; of the forward search and, but for costs, the beam.
  std::vector<std::string> keep;     // taken first, counted by k
  std::vector<std::string> adjust;   // everything is judged given these, which are not selected
  std::vector<FeatureGroup> groups;  // forward only
  std::vector<FeatureCost> costs;    // what counts is gain per cost; 1 where nothing is said
  std::size_t stability = 0;         // half-samples on which the selection is repeated
  bool ranking =
      true;  // tell what every feature is worth, and what could stand in for a selected one
};

struct RelevantFeature {
  std::size_t feature = 0;   // position in schema().features
  std::size_t rank = 0;      // counted from 1
  std::optional<int> round;  // forward and beam: counted from 1
  double score = 0;
  std::optional<double> p_value;  // times the number of candidates, at most 1
  std::string name = {};
  std::size_t index = 0;  // zero-based position in the input
};

struct NamedSubset : ScoredSubset {
  std::vector<std::string> names;
};

// What a feature is worth, selected or not.
struct FeatureWorth {
  std::size_t feature = 0;  // position in schema().features
  std::size_t rank = 0;     // counted from 1, no two the same: the selected ones first
  // Share of the label's variance that it explained when it was taken, beyond what as many
  // functions of noise would; of the others: what they would add to the selected ones.
  double gain = 0;
  std::optional<double> p_value;    // of the feature alone; none: a constant
  std::optional<double> q_value;    // the same by Benjamini and Hochberg, over all features
  std::optional<double> stability;  // share of half-samples that chose it
  std::string group;                // of features that go together; empty: none
  std::string name = {};
  std::size_t index = 0;
};

// A feature that could stand in for a selected one, and how much of the label's variance less would
// be explained.
struct Substitute {
  std::size_t feature = 0;
  std::size_t instead_of = 0;
  double loss = 0;
  std::string name = {};
  std::string name_instead_of = {};
};

// Meinshausen and Bühlmann (2010): of the features that at least this share of the half-samples
// chose, the number of false ones is not expected to be above q² / ((2 threshold − 1) d).
struct StabilityBound {
  double threshold = 0;
  std::size_t features = 0;  // that reach it
  double expected_false = 0;
};

struct StabilityReport {
  std::size_t samples = 0;
  double mean_selected = 0;  // q: features chosen in a half-sample, on average
  std::vector<StabilityBound> bounds;
};

struct SffsResult {
  Measure measure = Measure::m_n;
  std::optional<std::vector<std::string>> classes;  // of a classification, in their order
  std::vector<RelevantFeature> selected;            // best first
  std::vector<NamedSubset> subsets;
  std::vector<FeatureWorth> ranking;  // every feature, best first; empty: it was not asked for
  std::vector<Substitute> substitutes;
  std::optional<StabilityReport> stability;
  std::vector<PathPoint> path;  // where k was chosen by cross-validation: by size
  // Cross-validated, the selection included; with the name of the model that predicts.
  std::optional<double> accuracy_estimate;  // of a classification
  std::optional<double> r2_estimate;        // of a number
  std::string estimate_model;               // empty: there is no estimate
  std::optional<LossBound> bound;           // where all features are two-valued
  std::optional<UffsResult> reduced;
  std::vector<std::string> warnings;
  // Where a sample of the rows was searched: how many. What was found there is judged on all rows;
  // docs/scale.md says which numbers are of the sample.
  std::optional<std::size_t> sample_rows;
};

// The source must have a label. A k above the number of features is a warning, and all are
// selected. Throws Error where there is no feature to choose from, where the label has one class
// only, or where options do not fit together.
[[nodiscard]] SffsResult sffs(const Source& source, const SffsOptions& options,
                              const RunContext& context = {});

}  // namespace fsieve
