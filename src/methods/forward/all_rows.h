// What a search found in a sample of the rows, judged on all of them (docs/scale.md).
#pragma once

#include <vector>

#include "data/supervised_data.h"
#include "data/whole_label.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "methods/forward/forward.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

// How progress calls the two passes.
inline constexpr const char* judging_all_rows = "judging on all rows";
inline constexpr const char* scoring_all_rows = "scores of all rows";

class AllRows {
 public:
  // `source`: all rows, which are read twice for every judgement; `design`: of them.
  AllRows(const Source& source, Design design, WholeLabel label)
      : source_(source), design_(std::move(design)), label_(std::move(label)) {}

  // How a sample was searched.
  struct Searched {
    const SupervisedData& sample;  // as it was given
    const SupervisedData& seen;    // as the search saw it
    const SffsOptions& options;
    const Wishes& wishes;
    bool curves = false;         // real-valued features had them
    bool ranked = false;         // and were ranks themselves
    bool scores = false;         // the label was normal scores
    bool tested_curves = false;  // single features are tested with their curves
    bool later_rounds = true;    // explain the label anew, and have gains of their own
  };

  // Puts what all rows say in the place of what the sample said: scores and gains of the steps,
  // p-values where the F tail is right for them, and, where there is one, the ranking. What no
  // longer convinces at the level is taken back, with all that came after it. Says whether all of
  // it is left, and no feature was overlooked that is worth much more.
  bool judge(const Searched& searched, ForwardResult& found, Progress& progress) const;

  // The scores of subsets with their own products.
  [[nodiscard]] std::vector<double> scores(const SupervisedData& sample,
                                           const std::vector<std::vector<std::size_t>>& subsets,
                                           Score score, Progress& progress) const;

 private:
  const Source& source_;
  Design design_;
  WholeLabel label_;
};

}  // namespace fsieve::methods
