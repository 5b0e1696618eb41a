// The walk of one stage: features are tested in groups, against the products of those kept before
// them.
#pragma once

#include "methods/uffs/problem.h"
#include "methods/uffs/stage_rows.h"
#include "methods/uffs/stages.h"
#include "span/ledger.h"

namespace fsieve::inline methods {

// Decides on the features of `order` in the ledger, and counts groups and parities in the report,
// which says the engine.
void walk_groups(const Problem& problem, const PlannedStage& planned, const Features& order,
                 StageRows& rows, Ledger& ledger, StageReport& report);

}  // namespace fsieve::methods
