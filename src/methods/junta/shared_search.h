// The exhaustive search shared out to many machines, by ranges of subsets.
#pragma once

#include <string>

#include "methods/junta/junta_search.h"
#include "source/parted_source.h"

namespace fsieve::inline methods {

// As search_exhaustively() without a checkpoint. All machines get the bits of the table, and every
// range of subsets is searched by one of them: who is lost costs the ranges it had.
[[nodiscard]] JuntaRanking search_on_machines(const PartedSource& machines, const JuntaTable& table,
                                              JuntaMeasure measure, const SearchIdentity& search,
                                              Progress& progress);

// What one of the machines says to its range.
[[nodiscard]] std::string search_range(const std::string& bits, const std::string& range,
                                       Progress& progress);

}  // namespace fsieve::methods
