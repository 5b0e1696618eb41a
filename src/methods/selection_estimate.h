// How good a selection will be and, where that is asked for, of what size it should be: both by
// cross-validation of the whole search.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/run_context.h"
#include "fsieve/sffs.h"
#include "measure/validation.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

class Estimator {
 public:
  // All must outlive it.
  Estimator(const SupervisedData& data, const SffsOptions& options, const Wishes& wishes,
            const RunContext& context)
      : data_(data), options_(options), wishes_(wishes), context_(context) {}

  // Tells path and estimate, where they are asked for; returns the size, where it is chosen.
  std::optional<std::size_t> estimate(SffsResult& result);

  // Of a selection that is no better than none.
  void warn_of_no_use(SffsResult& result) const;

 private:
  [[nodiscard]] std::size_t choose_size(SffsResult& result);
  [[nodiscard]] std::vector<std::size_t> sizes_up_to(std::size_t most) const;
  [[nodiscard]] std::optional<HeldOutScores> validated(const std::vector<std::size_t>& sizes,
                                                       std::size_t deals) const;
  void tell(const HeldOutScores& scores, double estimate, SffsResult& result);
  [[nodiscard]] FoundFeatures found_in(const SupervisedData& data, SffsOptions options) const;
  [[nodiscard]] const Together* group_of(std::size_t feature) const;

  const SupervisedData& data_;
  const SffsOptions& options_;
  const Wishes& wishes_;
  const RunContext& context_;
  double guessing_ = 0;  // the score of no features
};

}  // namespace fsieve::methods
