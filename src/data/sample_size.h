// How many rows are enough to prepare a decision.
#pragma once

#include <cstddef>

namespace fsieve::inline data {

// Rows on which what `functions` leave of each of `candidates` columns is told, all of them
// together at this level, up to a share `precision` of its norm. Of m rows beyond the functions the
// norm has a relative deviation of √(1 / 2m), where what is left is about normal.
[[nodiscard]] std::size_t rows_that_tell(double precision, double level, double candidates,
                                         double functions);

// The rows to use of a table of `rows`, where so many `tell` and a user asked for `asked` (a value
// of fsieve/sample.h): `rows` where all of them are. Tables that are not much larger than the
// sample are used whole, since little would be saved, and so are tables of few rows, unless a row
// takes so much work (multiply-adds) that a larger table would be done sooner.
[[nodiscard]] std::size_t sample_size(std::size_t asked, std::size_t rows, std::size_t tell,
                                      double work_of_a_row = 0);

}  // namespace fsieve::data
