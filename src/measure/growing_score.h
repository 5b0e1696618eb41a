// The score of a span that grows: what new functions add to the leverages and take from the label,
// instead of the whole span at every step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/label.h"

namespace fsieve::inline measure {

class GrowingScore {
 public:
  // `label`: outlives this. `followed`: what the span leaves of its columns is known elsewhere, and
  // is given when the score is asked for.
  GrowingScore(const Label& label, bool followed);

  // How many functions are in.
  [[nodiscard]] std::size_t functions() const { return functions_; }
  // Orthonormal functions that are new (times √w where rows have weights), one after another.
  void add(std::span<const double> functions);
  // As span_score has it (measure/span_score.h). `residual`: of the label, where it is followed.
  [[nodiscard]] double score(std::span<const double> residual) const;

 private:
  const Label* label_;
  bool followed_;
  std::size_t functions_ = 0;
  std::vector<double> leverages_;
  std::vector<double> residual_;  // where it is not followed
};

}  // namespace fsieve::measure
