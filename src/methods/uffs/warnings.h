// What a user should know about a result of UFFS, beside the result.
#pragma once

#include "data/design.h"
#include "fsieve/uffs.h"

namespace fsieve::inline methods {

void warn_of_tests(UffsResult& result, const UffsOptions& options, const Design& design);

// In own groups a feature may go for the sake of features that go themselves. `asked_r2`: what a
// removed feature may lose is no surprise.
void warn_of_weak_equations(UffsResult& result, double asked_r2);

}  // namespace fsieve::methods
