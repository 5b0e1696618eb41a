// The columns of a table as two-valued features: what makes each −1 or +1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fsieve/junta.h"
#include "fsieve/model.h"

namespace fsieve::inline methods {

struct SignFeature {
  ModelFeature described;
  std::size_t position = 0;  // of its column in a block
  double mark = 0;           // +1 is a value equal to this, or above it where there is a threshold
  std::uint64_t high = 0;    // rows with +1
  // Which rows these are, a bit each, where the look at the column's values told.
  std::vector<std::uint64_t> high_bits = {};
};

struct SignFeatures {
  std::vector<SignFeature> features;  // constants are left out
  std::vector<std::string> warnings;
  std::size_t rows = 0;
};

// A two-valued column of any spelling is one feature; a text column of more levels has an indicator
// per level but the first; numbers of more values are cut. Throws Error where there is no cut.
// `keep_bits`: of columns of two numbers it is told which rows have which, so that they need not be
// read again.
[[nodiscard]] SignFeatures make_sign_features(const Source& source, Cut how, double cut,
                                              bool keep_bits, Progress& progress);

// The two classes of the label, and which rows have the second.
struct SignLabel {
  std::string name;
  std::array<std::string, 2> classes;
  std::vector<std::uint8_t> codes;  // per row, 0 or 1
};

[[nodiscard]] SignLabel read_sign_label(const Source& source, Progress& progress);

// The smaller of two texts first, in the order of classes (class_order.h).
[[nodiscard]] bool value_before(const std::string& a, const std::string& b);

}  // namespace fsieve::methods
