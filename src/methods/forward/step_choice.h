// Which step a round of the forward search takes next.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "basis/parity.h"
#include "methods/forward/promised_subsets.h"
#include "methods/forward/round_state.h"
#include "methods/forward/search_terms.h"
#include "methods/forward/step.h"
#include "methods/forward/step_candidates.h"
#include "methods/forward/step_evidence.h"

namespace fsieve::inline methods {

class StepChoice {
 public:
  StepChoice(const SearchTerms& terms, StepCandidates& candidates, StepEvidence& evidence)
      : terms_(terms), candidates_(candidates), evidence_(evidence) {}

  // The best convincing steps of the first kind that has one; at most as many as the beam is wide.
  // None where `room` features are taken, or where nothing convinces.
  [[nodiscard]] std::vector<Step> best_steps(RoundState& state, std::size_t room);

  // About subsets that were not looked for.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  [[nodiscard]] const std::vector<Step>& singles(RoundState& state, StepKind kind);
  [[nodiscard]] std::vector<Step> convincing_steps(RoundState& state);
  [[nodiscard]] std::vector<Step> single_steps_of_any_kind(RoundState& state, double chance);
  [[nodiscard]] std::vector<Step> curves_that_gain_more(RoundState& state, const Step& step,
                                                        double chance);
  [[nodiscard]] std::vector<Step> convincing(const Round& round, std::size_t size,
                                             std::vector<Step> steps, double chance);
  [[nodiscard]] std::vector<Step> convincing_subsets(const RoundState& state, std::size_t size);
  [[nodiscard]] bool scan_allowed(std::size_t features, std::size_t size);

  const SearchTerms& terms_;
  StepCandidates& candidates_;
  StepEvidence& evidence_;
  bool warned_[max_depth + 1] = {};
  std::vector<std::string> warnings_;
  PromisedSubsets promised_[max_depth + 1];  // by scans, by size
  bool label_scanned_[max_depth + 1] = {};
};

}  // namespace fsieve::methods
