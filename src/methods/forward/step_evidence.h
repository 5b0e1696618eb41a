// Whether a step convinces: the chance that one as good is found where there is nothing to find.
#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/multiplicity.h"
#include "methods/forward/round.h"
#include "methods/forward/search_terms.h"
#include "methods/forward/step.h"
#include "methods/forward/step_candidates.h"

namespace fsieve::inline methods {

class StepEvidence {
 public:
  StepEvidence(const SearchTerms& terms, StepCandidates& candidates)
      : terms_(terms), candidates_(candidates), random_(terms.options.seed) {}

  // Does the best step of its kind and size? Says its p-value too. `chance`: that is allowed where
  // no level is asked for.
  [[nodiscard]] bool convinces(const Round& round, std::size_t size, Step& step, double chance);

  // The F tail times the number of candidates, in logarithms.
  [[nodiscard]] double log_f(const Round& round, const Step& step) const;

  // Of orthonormal functions that are new to the span.
  [[nodiscard]] double log_chance_of(const Round& round, const std::vector<double>& functions,
                                     bool products = false) const;

 private:
  [[nodiscard]] double log_candidates(const Step& step) const;
  [[nodiscard]] bool in_doubt(const Round& round, const Step& step, double limit) const;
  [[nodiscard]] double ways(const Round& round);
  [[nodiscard]] const Multiplicity& multiplicity();
  [[nodiscard]] bool survives_shuffles(const Round& round, std::size_t size, Step& step);
  [[nodiscard]] SupervisedData shuffled_candidates();

  const SearchTerms& terms_;
  StepCandidates& candidates_;
  std::optional<Multiplicity> multiplicity_;  // where a level is asked for
  std::mt19937_64 random_;
};

}  // namespace fsieve::methods
