// Stability selection (Meinshausen and Bühlmann 2010) on complementary pairs of half-samples (Shah
// and Samworth 2013): how often a selection chooses a feature when it sees half of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "data/label.h"
#include "fsieve/progress.h"
#include "fsieve/sffs.h"
#include "methods/forward/wishes.h"

namespace fsieve::inline methods {

struct Stability {
  std::vector<double> shares;  // of the half-samples, per feature of the schema
  StabilityReport report;
};

// Which features are chosen from a source.
using Choose = std::function<std::vector<std::size_t>(const Source& source)>;

// Every pair splits the rows in two, each class by itself. `candidates`: how many features may be
// chosen, groups counted as one. Those to keep always are, and do not count for the bound. The
// source is in memory, and none of its rows has weight 0.
[[nodiscard]] Stability stability_of(const Source& source, const Label& label, std::size_t samples,
                                     std::uint64_t seed, std::size_t candidates,
                                     const Wishes& wishes, const Choose& choose,
                                     Progress& progress);

}  // namespace fsieve::methods
