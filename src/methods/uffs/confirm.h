// What a walk found, judged on rows that it did not use.
#pragma once

#include <cstddef>
#include <vector>

#include "equation/fit_judge.h"
#include "methods/uffs/outcome.h"
#include "methods/uffs/problem.h"
#include "span/ledger.h"

namespace fsieve::inline methods {

class Confirmer {
 public:
  explicit Confirmer(const Problem& problem)
      : problem_(problem), judge_(*problem.products, problem.progress) {}

  // What rows that were not used do not confirm stays: a fit that a few rows carry, or one of many
  // terms, explains these rows only. The fits are noted in the outcomes. Of a walk on a sample,
  // notes what is now known, and returns whether that is otherwise.
  bool confirm(double epsilon, const Features& order, bool sampled, Ledger& ledger,
               Foreknowledge& known, std::vector<Outcome>& outcomes);

  [[nodiscard]] FitJudge& judge() { return judge_; }

 private:
  [[nodiscard]] std::vector<HeldOutFit> judged_fits(const Features& features,
                                                    const std::vector<std::size_t>& targets,
                                                    bool sampled, std::vector<Fit>& fits);
  [[nodiscard]] double chosen_from(std::size_t terms, std::size_t parities) const;

  const Problem& problem_;
  FitJudge judge_;
};

}  // namespace fsieve::methods
