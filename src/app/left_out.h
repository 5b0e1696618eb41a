// Columns that one option asks for and --exclude leaves out.
#pragma once

#include "app/run.h"

namespace fsieve::inline app {

// `schema`: of the table as it was read. Throws Error(usage) that names both options.
void check_not_left_out(const Request& request, const Schema& schema);

}  // namespace fsieve::app
