// What people need to read the equations of a result's removed features.
#pragma once

#include <string>
#include <vector>

#include "fsieve/equation.h"
#include "fsieve/source.h"
#include "source/named.h"

namespace fsieve::inline equation {

// Whether they are of the column's indicators; so are those of a number cut into bins.
[[nodiscard]] bool of_indicators(const std::vector<Equation>& equations, const Column& column);

// The level of a category that has no indicator, where the equations are those of indicators.
[[nodiscard]] std::string baseline_of(const std::vector<Equation>& equations, const Column& column);

template <class Removals>
void name_removals(Removals& removed, const Schema& schema) {
  put_names(removed, schema);
  for (auto& entry : removed) {
    const Column& column = schema.features[entry.feature];
    entry.categorical =
        column.kind == ColumnKind::categorical || of_indicators(entry.equations, column);
    const bool constant = entry.reason == decltype(entry.reason)::constant;
    entry.baseline = constant ? "" : baseline_of(entry.equations, column);
  }
}

}  // namespace fsieve::equation
