// The functions that steps of the forward search bring, by the columns whose products they are: as
// Round makes them from the rows, without rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/seen_columns.h"
#include "methods/forward/taken_step.h"

namespace fsieve::inline methods {

using Function = std::vector<std::uint32_t>;  // columns, each a factor; none: the constant
using Functions = std::vector<Function>;

inline void append(Functions& to, const Functions& from) {
  to.insert(to.end(), from.begin(), from.end());
}

class StepFunctions {
 public:
  StepFunctions(const SeenColumns& columns, int depth) : columns_(columns), depth_(depth) {}

  // What a feature would bring now.
  [[nodiscard]] Functions with_products(std::size_t feature) const;
  [[nodiscard]] Functions alone(std::size_t feature) const;
  [[nodiscard]] Functions curved(std::size_t feature) const;
  [[nodiscard]] Functions curves(const std::vector<std::size_t>& features) const;

  // Takes a step, or the features of one that are named, and gives what it brought.
  Functions take(const TakenStep& step, const std::vector<std::size_t>& features);

 private:
  [[nodiscard]] Functions own_products(const std::vector<std::size_t>& features) const;
  void open_products(std::size_t feature, bool family);

  const SeenColumns& columns_;
  int depth_;
  Functions products_{{}};  // of the features taken, of fewer than depth factors
};

}  // namespace fsieve::methods
