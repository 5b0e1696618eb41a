// How a synthetic set is made: base features, polynomials of them, and a label.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fsieve/generate.h"

namespace fsieve::inline generate {

// coefficient * product of base features (positions from 0).
struct Monomial {
  double coefficient = 1;
  std::vector<std::size_t> factors;
};

using Polynomial = std::vector<Monomial>;

enum class BaseKind { normal, uniform, sign };

struct Recipe {
  BaseKind base = BaseKind::normal;
  std::vector<double> scale;          // one per base feature, which is multiplied by it
  std::vector<Polynomial> redundant;  // the features after the base features
  std::vector<Polynomial> label;      // the label is the sign of their product; empty: no label
  std::vector<std::size_t> relevant;  // base features the label is a function of
  std::vector<std::size_t> order;     // the feature in each column

  [[nodiscard]] std::size_t features() const { return scale.size() + redundant.size(); }
};

// All random choices that are made once per set.
[[nodiscard]] Recipe make_recipe(const GenerateOptions& options);

// x1 for position 0.
[[nodiscard]] std::string feature_name(std::size_t feature);

// What the numbers of one seed are drawn for; see RandomNumbers.
enum Purpose : unsigned { kStructure = 0, kValues = 1, kShuffle = 2 };

}  // namespace fsieve::generate
