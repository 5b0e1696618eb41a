// What a table that somebody else made must be like. All throw Error, naming the column.
#pragma once

#include <cstddef>
#include <span>

#include "fsieve/source.h"

namespace fsieve::inline source {

// Names are there and differ, levels are in byte order and differ.
void check_schema(const Schema& schema);

// Finite numbers, positions of levels. `first_row` is the zero-based row of the first value.
void check_values(const Column& column, std::span<const double> values, std::size_t first_row);

// All of this, and the number of values, of a table in memory, column by column.
void check_table(const Schema& schema, std::span<const double> values, std::size_t rows);

// The features in order, then the label.
[[nodiscard]] inline const Column& column_at(const Schema& schema, std::size_t j) {
  return j < schema.features.size() ? schema.features[j] : *schema.label;
}

}  // namespace fsieve::source
