// The values of categories as small whole numbers. A number of two values is a category, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "data/design.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

[[nodiscard]] inline bool has_levels(const Design& design, std::size_t feature) {
  const DesignFeature& known = design.features[feature];
  if (known.first == known.last) return false;
  const DesignColumn& column = design.columns[known.first];
  return column.two_valued && !column.derived;
}

class RowLevels {
 public:
  RowLevels(const Source& source, const Design& design, const Block& all, std::size_t category)
      : values_(all.column(category)),
        column_(design.columns[design.features[category].first]),
        count_(column_.level ? source.schema().features[category].levels.size() : 2) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  std::size_t operator[](std::size_t row) const {
    const double value = values_[row];
    return column_.level ? static_cast<std::size_t>(value) : (value == column_.low ? 0 : 1);
  }

  // The level whose indicator a design column is, but for its scale.
  [[nodiscard]] static std::size_t of(const DesignColumn& column) {
    return column.level.value_or(1);
  }

 private:
  std::span<const double> values_;
  const DesignColumn& column_;
  std::size_t count_;
};

}  // namespace fsieve::span
