// The label of some rows of a table.
#pragma once

#include <cstddef>
#include <vector>

#include "data/label.h"

namespace fsieve::inline data {

struct LabelRows {
  Label label;  // its classes are those that the rows have
  // Of a classification: where its classes stand among those of the whole label.
  std::vector<std::size_t> classes;

  // Is there anything to tell apart?
  [[nodiscard]] bool varies() const;
};

[[nodiscard]] LabelRows label_rows(const Label& label, const std::vector<std::size_t>& rows);

}  // namespace fsieve::data
