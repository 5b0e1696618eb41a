// Which features could stand in for a selected one.
#pragma once

#include <vector>

#include "data/supervised_data.h"
#include "fsieve/sffs.h"
#include "methods/forward/taken_step.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

// For every selected feature, in their order, at most three others: beside all the other selected
// ones they would explain at least half of what it does. The loss is what less is explained, as a
// share of the label's variance beyond noise; below 0 where a substitute would be the better
// choice. Looked at are the features most like it, and those that explain most of what it leaves.
// Only as many selected features are looked at as a bounded amount of work allows, one at least.
[[nodiscard]] std::vector<Substitute> find_substitutes(const SupervisedData& data,
                                                       const std::vector<TakenStep>& steps,
                                                       int depth, const Wishes& wishes);

}  // namespace fsieve::methods
