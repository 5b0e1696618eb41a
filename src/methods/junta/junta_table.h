// Two-valued features and a two-class label packed into bits, rows in the order of their class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bits/class_bits.h"
#include "methods/junta/row_weights.h"
#include "methods/junta/sign_features.h"

namespace fsieve::inline methods {

// Scores and coefficients up to this are the rounding of what is exactly zero.
inline constexpr double zero_value = 1e-12;

struct JuntaTable {
  std::vector<SignFeature> features;
  SignLabel label;  // its codes are gone: they are in the order of the rows
  ClassSegments order;
  BitStore bits;  // a column per feature; set where it is +1
  std::size_t rows = 0;
  RowWeights weights;

  // Is there room for the bits of all columns beside the table's, and are the rows here?
  [[nodiscard]] static bool has_room_for_twice(const Source& source, std::size_t memory);

  // One pass, if there are features whose rows are not known yet. Throws Error where the bits take
  // more than `memory`.
  JuntaTable(const Source& source, SignFeatures signs, SignLabel classes, std::size_t memory,
             Progress& progress);

  // Bits that were packed before; features are known by how many rows have them.
  JuntaTable(const std::vector<std::uint64_t>& high, ClassSegments segments, BitStore packed);

  [[nodiscard]] std::size_t size() const { return features.size(); }
  [[nodiscard]] std::vector<std::uint64_t> high() const;
  // What the rows with a feature count for.
  [[nodiscard]] double weight_high(std::size_t feature) const;
  // Lets the classes weigh as given: means and deviations of the features are then those of the
  // weighted rows.
  void weigh(const RowWeights& by_class);
  // Rows of a class (0 or 1) where all of some features are set.
  [[nodiscard]] std::int64_t count(std::size_t of_class, std::span<const std::size_t> subset) const;

 private:
  void take_rows(const Source& source, Progress& progress);
  void take_packed(const Source& source, Progress& progress);
};

// Rows per cell of a subset and class: cells[class << size | mask], a mask's bit k saying that
// subset[k] is set.
[[nodiscard]] std::vector<std::int64_t> count_cells(const JuntaTable& table,
                                                    std::span<const std::size_t> subset);

// The label's and the features' names and values as a short text.
[[nodiscard]] std::string fingerprint(const JuntaTable& table);

}  // namespace fsieve::methods
