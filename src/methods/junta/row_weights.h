// What the rows of each class count for: as much as any, or more where a class is rare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "fsieve/junta.h"

namespace fsieve::inline methods {

class RowWeights {
 public:
  RowWeights() = default;

  // `of_class`: in any unit; they are scaled so that all rows count as many as they are.
  RowWeights(std::array<double, 2> of_class, std::span<const std::uint32_t> rows);

  // Does every row count the same?
  [[nodiscard]] bool even() const { return even_; }

  // What a row of a class (0 or 1) counts for.
  [[nodiscard]] double of(std::size_t of_class) const { return of_[of_class]; }
  // The same over what all other rows count: its share in a mean of predictions, each made by the
  // others.
  [[nodiscard]] double among_others(std::size_t of_class) const { return among_others_[of_class]; }

  [[nodiscard]] double lead(std::int64_t first, std::int64_t second) const {
    return of_[1] * static_cast<double>(second) - of_[0] * static_cast<double>(first);
  }
  [[nodiscard]] double size(std::int64_t first, std::int64_t second) const {
    return of_[1] * static_cast<double>(second) + of_[0] * static_cast<double>(first);
  }

 private:
  bool even_ = true;
  std::array<double, 2> of_{1, 1};
  std::array<double, 2> among_others_{};
};

// Those that the options ask for. Throws Error where they name a class that the label has not.
[[nodiscard]] RowWeights row_weights(const ClassWeights& asked, const std::string& label,
                                     const std::array<std::string, 2>& classes,
                                     std::span<const std::uint32_t> rows);

}  // namespace fsieve::methods
