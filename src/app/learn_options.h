// The options of `learn` and `bounds`.
#pragma once

#include <string>

#include "app/option_values.h"
#include "fsieve/bounds.h"
#include "fsieve/junta.h"

namespace fsieve::inline app {

// Throws Error(usage) on values that are malformed or do not fit together. The checkpoint is not
// opened.
[[nodiscard]] JuntaOptions junta_options(const OptionValues& values);

// "exhaustive", "greedy" or "beam:W"; "median", "mean" or the number.
[[nodiscard]] std::string junta_search_text(const JuntaOptions& options);
[[nodiscard]] std::string cut_text(const JuntaOptions& options);
// "balanced" or "no=1,yes=10".
[[nodiscard]] std::string class_weight_text(const ClassWeights& weights);

// What `bounds` asks; c_k, d and rows may still come from a file.
struct BoundsOptions {
  BoundsQuestion question;
  bool has_d = false;
  bool has_ck = false;
  Cut binarize = Cut::none;
  double cut = 0;
};

[[nodiscard]] BoundsOptions bounds_options(const OptionValues& values);

}  // namespace fsieve::app
