// The forward search itself: rounds of steps, each taken in turn, and the result that they make.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fsieve/progress.h"
#include "methods/forward/forward.h"
#include "methods/forward/round.h"
#include "methods/forward/round_state.h"
#include "methods/forward/search_device.h"
#include "methods/forward/search_terms.h"
#include "methods/forward/step.h"
#include "methods/forward/step_candidates.h"
#include "methods/forward/step_choice.h"
#include "methods/forward/step_evidence.h"

namespace fsieve::inline methods {

class ForwardSearch {
 public:
  ForwardSearch(const SearchTerms& terms, Progress& progress);
  // Its parts refer to each other.
  ForwardSearch(const ForwardSearch&) = delete;
  ForwardSearch& operator=(const ForwardSearch&) = delete;
  ~ForwardSearch() = default;

  // Once.
  [[nodiscard]] ForwardResult run();

 private:
  [[nodiscard]] bool any_free();
  [[nodiscard]] RoundState run_round(std::size_t room);
  [[nodiscard]] const Round& untouched();
  [[nodiscard]] double work_of_estimates() const;
  [[nodiscard]] RoundState beginning();
  [[nodiscard]] Step kept_step(const Round& round, std::size_t feature) const;
  void keep_best(std::vector<RoundState>& states) const;
  void take(const Step& step, RoundState& state) const;
  [[nodiscard]] bool complete(const Step& step, Round& round) const;
  [[nodiscard]] std::vector<std::size_t> in_order(const Step& step);
  void finish(const RoundState& state, std::size_t wanted, int number);

  const SearchTerms& terms_;
  Progress& progress_;
  std::vector<std::size_t> free_;
  std::vector<std::size_t> copies_;  // of other features: free when those are taken
  SearchDevice device_;
  StepCandidates candidates_;
  StepEvidence evidence_;
  StepChoice choice_;
  std::optional<Round> untouched_;
  // Place of each feature among those that tell most of the label; empty: not known yet.
  std::vector<std::size_t> telling_;
  ForwardResult result_;
};

}  // namespace fsieve::methods
