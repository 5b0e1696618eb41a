// What the columns that are computed with take, told before the work: a category is one column per
// level but the first, so a few features can be thousands of columns.
#pragma once

#include <cstddef>

#include "fsieve/source.h"

namespace fsieve::inline data {

[[nodiscard]] std::size_t design_columns(const Schema& schema);

// Throws Error where categories make a method that holds every column over all rows need more than
// `memory`, and more than the table itself.
void check_rows_budget(const Schema& schema, std::size_t rows, std::size_t memory);

// The same for a method that holds the inner products of all columns, of which no more than `most`
// are in one basis.
void check_products_budget(const Schema& schema, std::size_t most, std::size_t memory);

}  // namespace fsieve::data
