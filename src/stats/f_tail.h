// The upper tail of the F distribution, in logarithms: tests of many candidates need chances far
// below the smallest double.
#pragma once

namespace fsieve::inline stats {

// log P(F > ratio) for d1 and d2 degrees of freedom.
[[nodiscard]] double log_f_tail(double ratio, double d1, double d2);

}  // namespace fsieve::stats
