// Subsets of two-valued features shared out to many machines, by ranges of subsets.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "bits/class_bits.h"
#include "fsieve/progress.h"
#include "measure/ranking.h"
#include "measure/shared_ranking.h"
#include "source/machines.h"

namespace fsieve::inline methods {

// As rank_sign_subsets(): all machines get the bits, and every range is ranked by one of them.
void rank_sign_subsets_on(const Machines& machines, const ClassSegments& order,
                          const BitStore& bits, const std::vector<std::size_t>& features, int size,
                          Ranking& ranking, Progress& progress);

// What one of the machines says to its range. `bits`: what all of them get, behind its name.
inline constexpr const char* union_work = "cells";
[[nodiscard]] std::string rank_range(std::istream& bits, const std::string& range,
                                     Progress& progress);

}  // namespace fsieve::methods
