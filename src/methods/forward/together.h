// Features that go together as one feature with all their columns.
#pragma once

#include <optional>
#include <vector>

#include "data/supervised_data.h"
#include "methods/forward/forward.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

// Which feature stands for each group: the first that may be chosen; the others of the group may be
// chosen no longer. Groups of which none may be chosen are dropped. Kept features become those that
// stand for them, and what stands for a group costs as much as all of it.
void let_first_stand_for_group(Wishes& wishes, std::vector<std::size_t>& features);

// A copy in which every feature that stands for a group has the columns of all of it; the others
// have none, as constants.
[[nodiscard]] SupervisedData merged(const SupervisedData& data,
                                    const std::vector<Together>& groups);

// Puts all features of a group where the one stands that stands for it.
void tell_apart(const std::vector<Together>& groups, ForwardResult& result);

}  // namespace fsieve::methods
