// SFFS: which features predict the label best, jointly.
// Paper: Heidari et al., ICML 2021, sections 2.2 to 4.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/measure.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"
#include "fsieve/uffs.h"

namespace fsieve {

enum class Search { forward, unite, beam };  // unite: Algorithm 1, the union of the best subsets

struct SffsOptions {
  std::optional<std::size_t> k;  // none: as many as the first round of the search finds
  int depth = 2;                 // t: features judged together
  Search search = Search::forward;
  std::size_t beam = 1;                      // states kept per step under Search::beam
  Score score = Score::l1;                   // of Search::unite
  std::optional<std::vector<Stage>> reduce;  // UFFS first; none: not
  bool equations = true;                     // of the features that UFFS removes
  std::size_t bins = 0;                      // quantile bins for numeric features (0: none)
  Task task = Task::automatic;
  std::size_t top = 20;          // subsets reported
  double alpha = 0.01;           // level at which a step convinces
  std::size_t permutations = 0;  // shuffles of the test (0: the F test)
  double scan_limit = 1e12;      // subset x sample products of a scan that is still done
  double delta = 0.05;           // level of Theorem 2's bound
  std::uint64_t seed = 0;
  std::size_t memory = std::size_t{512} << 20U;  // bytes the data may take when it is loaded
};

struct RelevantFeature {
  std::size_t feature = 0;   // position in schema().features
  std::size_t rank = 0;      // counted from 1
  std::optional<int> round;  // forward and beam: counted from 1
  double score = 0;
  std::optional<double> p_value;  // times the number of candidates, at most 1
};

struct SffsResult {
  Measure measure = Measure::m_n;
  bool classification = true;
  std::vector<std::string> classes;       // of a classification, in their order
  std::vector<RelevantFeature> selected;  // best first
  std::vector<ScoredSubset> subsets;
  std::optional<double> accuracy_estimate;  // of a classification
  std::optional<LossBound> bound;           // where all features are two-valued
  std::optional<UffsResult> reduced;
  std::vector<std::string> warnings;
};

// The source must have a label. Throws Error where k exceeds the number of features, where the
// label has one class only, or where options do not fit together.
[[nodiscard]] SffsResult sffs(const Source& source, const SffsOptions& options, Progress& progress);

}  // namespace fsieve
