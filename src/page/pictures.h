// How the label depends on a few features, cell by cell: what a page draws beside a selection.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fsieve/source.h"
#include "page/row_sample.h"

namespace fsieve::inline page {

struct PictureWishes {
  std::vector<std::string> selected;              // best first
  std::vector<std::vector<std::string>> subsets;  // that came in together
  std::vector<std::string> classes;               // of the label, in order; none: it is a number
};

// The features (positions) that pictures of these wishes may need.
[[nodiscard]] std::vector<std::size_t> pictured_features(const PictureWishes& wishes,
                                                         const Schema& schema);

// Pairs and triples first, then single features: objects {features, axes, cells, alone, together}.
// `together` and `alone` say how well the cells of all the features, and of each one, predict rows
// that are left out of them: the share of right classes, or of the variance of a number. `sample`
// has the columns of pictured_features() and, last, the label.
[[nodiscard]] nlohmann::ordered_json pictures(const PictureWishes& wishes, const Schema& schema,
                                              const RowSample& sample);

}  // namespace fsieve::page
