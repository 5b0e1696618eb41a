// How a span of functions is computed, and by which rule it explains a column.
#pragma once

namespace fsieve {

enum class Rule { adjusted, paper, cumulative };
enum class Engine { automatic, gram, sample };

}  // namespace fsieve
