// Cross-validation of a selection: features are chosen again without the rows that are held out,
// and a model of them predicts these rows.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "measure/held_out_scores.h"

namespace fsieve::inline measure {

// Features in the order they came in; those that count as one together.
using FoundFeatures = std::vector<std::vector<std::size_t>>;

// What a search finds in some of the rows. Searches of several parts may run at the same time. A
// search that throws Error about these rows has found nothing.
using FeatureSearch = std::function<FoundFeatures(const SupervisedData&)>;

struct ValidationPlan {
  std::size_t parts = 5;
  std::size_t deals = 1;  // how often the rows are dealt anew
  // Parts are held out until they have so many rows together: an estimate needs no more, a choice
  // between sizes all of them.
  double enough_rows = std::numeric_limits<double>::infinity();
  // How many of the features found, the first ones, are judged; in increasing order, 0 first.
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> always;  // features that the model has whatever is found
  std::uint64_t seed = 0;
  std::size_t memory = 0;  // bytes: parts are worked on one by one where together they need more
};

// The sizes of a path of up to `most` features: all up to 16, then each about an eighth larger.
[[nodiscard]] std::vector<std::size_t> path_sizes(std::size_t most);

// None where the rows are too few to hold any out.
[[nodiscard]] std::optional<HeldOutScores> cross_validate(const SupervisedData& data,
                                                          const FeatureSearch& search,
                                                          const ValidationPlan& plan,
                                                          Progress& progress);

}  // namespace fsieve::measure
