// The scores of spans over all rows, by one pass: after every step its score, and the largest
// square of what it brought.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

#include "fsieve/measure.h"
#include "measure/span_score.h"
#include "methods/forward/gram_span.h"

namespace fsieve::inline methods {

// A span of functions, made orthonormal, with the ranks it had after its steps.
struct SpanPath {
  Functions functions;           // those that are kept
  std::vector<double> factor;    // as GramSpan gives it
  std::vector<double> on_label;  // the same, for the label as it was given
  std::vector<std::size_t> ranks;
};

struct ScorePlan {
  const WholeLabel& label;
  Measure measure;
  std::vector<SpanPath> paths;
  FunctionRows rows;
};

class StepScores {
 public:
  explicit StepScores(std::shared_ptr<const ScorePlan> plan);

  void add(const Block& block);
  void merge(const StepScores& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const;

  // For parts of a table that are asked for it.
  static constexpr const char* question = "step scores";
  void save_question(std::ostream& out) const;
  static StepScores from_question(std::istream& in, const Schema& schema, Keep& keep);

  [[nodiscard]] double score(std::size_t path, std::size_t step) const {
    return sums_[first_[path] + step].score();
  }
  // The largest square of a function that the step brought, in units of its mean square.
  [[nodiscard]] double peak(std::size_t path, std::size_t step) const {
    return peaks_[first_[path] + step] * plan_->label.weight();
  }

 private:
  std::shared_ptr<const ScorePlan> plan_;
  std::vector<std::size_t> first_;  // step of each path
  std::vector<ScoreSum> sums_;
  std::vector<double> peaks_;
};

}  // namespace fsieve::methods
