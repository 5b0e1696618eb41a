// The steps that a round might take next, by what they are worth.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fsieve/progress.h"
#include "methods/forward/estimated_steps.h"
#include "methods/forward/pair_memory.h"
#include "methods/forward/promised_subsets.h"
#include "methods/forward/round.h"
#include "methods/forward/search_device.h"
#include "methods/forward/search_terms.h"
#include "methods/forward/step.h"

namespace fsieve::inline methods {

class StepCandidates {
 public:
  StepCandidates(const SearchTerms& terms, SearchDevice& device) : terms_(terms), device_(device) {}

  // The best steps of a kind, best first. Where one is clearly the best its worth may be an
  // estimate, which says how far off it is.
  [[nodiscard]] std::vector<Step> of_kind(const Round& round, StepKind kind, std::size_t size);

  // The subsets that hold most of a label, by a quick look at all of them.
  [[nodiscard]] Subsets scan(const Round& round, const std::vector<double>& label,
                             std::size_t size);

  // What these features are worth, not about.
  [[nodiscard]] static std::vector<Catch> exactly(const Round& round, StepKind kind,
                                                  const std::vector<std::size_t>& features);

  // These subsets as steps, best first; without those that bring nothing.
  [[nodiscard]] std::vector<Step> judged(const Round& round, const Subsets& subsets) const;

  // The best of them, as many as may be tried. What they are beside other spans is asked often.
  [[nodiscard]] std::vector<Step> best_of(const Round& round, const Subsets& subsets);

  // Would the families of these features leave enough rows for each function?
  [[nodiscard]] bool curves_fit(const Round& round, const std::vector<std::size_t>& features) const;

 private:
  [[nodiscard]] bool fits(const Round& round, StepKind kind, std::size_t feature) const;
  [[nodiscard]] std::vector<Step> single_steps(const Round& round, StepKind kind) const;
  template <class Judge>
  [[nodiscard]] std::vector<Step> best_exactly(std::vector<EstimatedStep> all,
                                               const Judge& judge) const;
  [[nodiscard]] std::vector<EstimatedStep> estimated(const Round& round, StepKind kind) const;
  [[nodiscard]] std::optional<Step> clear_best(const Round& round, StepKind kind,
                                               const std::vector<EstimatedStep>& all) const;

  const SearchTerms& terms_;
  SearchDevice& device_;
  PairMemory pairs_;
  NoProgress quiet_;
};

}  // namespace fsieve::methods
