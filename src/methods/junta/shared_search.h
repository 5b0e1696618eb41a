// The exhaustive search shared out to many machines, by ranges of subsets.
#pragma once

#include <iosfwd>
#include <string>

#include "measure/shared_ranking.h"
#include "methods/junta/junta_search.h"
#include "source/machines.h"

namespace fsieve::inline methods {

// What it takes.
[[nodiscard]] SubsetWork work_of(const JuntaTable& table, const SearchIdentity& search);

// As search_exhaustively() without a checkpoint. All machines get the bits of the table, and every
// range of subsets is searched by one of them.
[[nodiscard]] JuntaRanking search_on_machines(const Machines& machines, const JuntaTable& table,
                                              JuntaMeasure measure, const SearchIdentity& search,
                                              Progress& progress);

// What one of the machines says to its range. `bits`: what all of them get, behind its name.
inline constexpr const char* junta_work = "juntas";
[[nodiscard]] std::string search_range(std::istream& bits, const std::string& range,
                                       Progress& progress);

}  // namespace fsieve::methods
