// A table of two-valued numbers and a label of two classes as bits: all that the scores of its
// subsets take, so that it is neither copied nor standardised.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bits/class_bits.h"
#include "data/supervised_data.h"
#include "fsieve/measure.h"
#include "fsieve/progress.h"

namespace fsieve::inline methods {

struct SignTable {
  // Label and features; the design has no means and deviations, and there are no columns.
  SupervisedData data;
  ClassSegments order;
  BitStore bits;  // a column per feature of data.features

  // Two passes. None where the source is not such a table, or has fewer than two features that may
  // be chosen. The source is held (source/trusted_source.h) and must outlive what is read.
  [[nodiscard]] static std::optional<SignTable> read(const Source& source, Task task,
                                                     Progress& progress);

  // The same rows and label with these features alone, whose columns it has, standardised as those
  // of the whole table are.
  [[nodiscard]] SupervisedData with_columns_of(const std::vector<std::size_t>& features,
                                               Progress& progress) const;
};

}  // namespace fsieve::methods
