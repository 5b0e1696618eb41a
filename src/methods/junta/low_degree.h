// The low-degree algorithm (Linial, Mansour, Nisan) with the parities of 004 eq. (7): every product
// of at most k of all features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fsieve/progress.h"
#include "methods/junta/junta_table.h"

namespace fsieve::inline methods {

struct LowDegree {
  struct Term {
    std::vector<std::size_t> features;
    double value = 0;
  };
  std::vector<Term> terms;  // in lexicographic order, shorter first where one begins the other
  double score = 0;         // eq. (8) with these products in the place of the subsets of J
  double training_error = 0;
  double weighted_error = 0;  // rows by their weights
};

// Throws Error where there are too many products.
[[nodiscard]] LowDegree learn_low_degree(const JuntaTable& table, std::size_t k,
                                         Progress& progress);

}  // namespace fsieve::methods
