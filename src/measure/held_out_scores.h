// What predictions of held-out rows were worth, for every number of features, and what follows from
// that: curve, choice and estimate.
#pragma once

#include <cstddef>
#include <vector>

#include "data/label.h"
#include "fsieve/measure.h"
#include "measure/held_out.h"

namespace fsieve::inline measure {

// Of one deal of the rows.
struct DealScores {
  HeldOut held;
  // Per size, per row: 1 where the class was right; the squared error of the number, or of the
  // shares of the classes.
  std::vector<std::vector<double>> hits;
  std::vector<std::vector<double>> losses;
};

class HeldOutScores {
 public:
  // `sizes`: numbers of features, in increasing order; the first is 0.
  HeldOutScores(const Label& label, std::vector<std::size_t> sizes, std::vector<DealScores> deals);

  // Of the size at this position: accuracy, or R² of a number, and its standard error.
  [[nodiscard]] PathPoint point(std::size_t s) const;
  [[nodiscard]] std::vector<PathPoint> path() const;

  // Position of the size of the smallest squared error.
  [[nodiscard]] std::size_t best() const;
  // Position of the smallest size whose squared error is above that of the best by at most half a
  // standard error of the difference over the parts; of size 0, which is first, by at most one.
  [[nodiscard]] std::size_t choice() const;
  // The score of the size chosen: of every part that of the size that the other parts choose, so
  // that no row has a say in how it is predicted.
  [[nodiscard]] double score_of_choice() const;

 private:
  struct Mean {
    double value = 0;
    double error = 0;  // its standard error
  };
  template <class Value>
  [[nodiscard]] Mean mean_over(const std::vector<std::size_t>& rows, const Value& value) const;
  [[nodiscard]] double loss(std::size_t s, std::size_t row) const;
  [[nodiscard]] double hit(std::size_t s, std::size_t row) const;
  [[nodiscard]] std::vector<double> mean_losses(const std::vector<std::size_t>& rows) const;
  [[nodiscard]] std::size_t choice_by(const std::vector<std::size_t>& rows) const;
  [[nodiscard]] double error_over_parts(const std::vector<std::size_t>& rows, std::size_t s,
                                        std::size_t other) const;

  const Label* label_;
  std::vector<std::size_t> sizes_;
  std::vector<DealScores> deals_;
  std::vector<std::size_t> rows_;  // that take part
};

}  // namespace fsieve::measure
