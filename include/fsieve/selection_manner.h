// How a selection (fsieve/sffs.h) looks at features and label, beside what it looks for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fsieve/sffs.h"

namespace fsieve {

// What a real-valued feature brings: its column, or with it, where they say more, polynomials of
// its ranks, so that any dependence on it is seen.
enum class Shape { plain, curve };

// Columns that go together: they are taken as one, and counted as one.
struct FeatureGroup {
  std::string name;
  std::vector<std::string> columns;  // names, or patterns (* and ? are wild)
};

struct FeatureCost {
  std::string name;
  double cost = 1;
};

struct SelectionManner {
  Shape shape = Shape::curve;  // of the forward search and the beam
  bool balanced = false;       // every class weighs the same
  bool robust = false;         // a number as label enters by the normal scores of its ranks

  // By names of columns; of the forward search and, but for costs, the beam.
  std::vector<std::string> keep = {};    // taken first, counted by k
  std::vector<std::string> adjust = {};  // everything is judged given these, which are not selected
  std::vector<FeatureGroup> groups = {};  // forward only
  std::vector<FeatureCost> costs = {};    // what counts is gain per cost; 1 where nothing is said
  std::size_t stability = 0;              // half-samples on which the selection is repeated
  // Tell what every feature is worth, and what could stand in for a selected one.
  bool ranking = true;
};

[[nodiscard]] SffsResult sffs(const Source& source, const SffsOptions& options,
                              const SelectionManner& manner, Progress& progress);

}  // namespace fsieve
