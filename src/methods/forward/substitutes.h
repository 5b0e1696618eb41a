// Which features could stand in for a selected one.
#pragma once

#include <vector>

#include "data/supervised_data.h"
#include "fsieve/sffs.h"
#include "methods/forward/taken_step.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

// For the first thirty selected features, in their order, at most three others: beside all the
// other selected ones they would explain at least half of what it does. The loss is what less is
// explained, as a share of the label's variance beyond noise; below 0 where a substitute would be
// the better choice. Looked at are the features most like it, and those that explain most of what
// it leaves. Where products would take too long, none are made.
[[nodiscard]] std::vector<Substitute> find_substitutes(const SupervisedData& data,
                                                       const std::vector<TakenStep>& steps,
                                                       int depth, const Wishes& wishes);

}  // namespace fsieve::methods
