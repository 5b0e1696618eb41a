#include "equation/named_removals.h"

#include <algorithm>

namespace fsieve::inline equation {

bool of_indicators(const std::vector<Equation>& equations, const Column& column) {
  return !equations.empty() && equations.front().target != column.name;
}

std::string baseline_of(const std::vector<Equation>& equations, const Column& column) {
  if (!of_indicators(equations, column)) return {};
  for (const std::string& level : column.levels) {
    const std::string indicator = column.name + "=" + level;
    const bool listed = std::any_of(equations.begin(), equations.end(), [&](const Equation& known) {
      return known.target == indicator;
    });
    if (!listed) return level;
  }
  return {};
}

}  // namespace fsieve::equation
