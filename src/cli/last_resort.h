// What happens when an exception cannot reach anybody.
#pragma once

namespace fsieve::cli {

// From now on temporary files are removed then, and memory that runs out where nothing may be
// thrown (libraries allocate in destructors) is an error like others: one line, exit code 1.
void set_last_resort();

}  // namespace fsieve::cli
