// The columns of a table in memory, standardised once for all groups of a stage that test them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/buffer.h"
#include "data/design.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

class StandardisedColumns {
 public:
  // The design columns of these features, each times the roots of the rows' weights. `source` must
  // be in memory. `narrow`: in single precision too.
  StandardisedColumns(const Source& source, const Design& design,
                      const std::vector<std::size_t>& features, bool narrow);

  // None where that would take much memory.
  [[nodiscard]] static std::shared_ptr<const StandardisedColumns> of(
      const Source& source, const Design& design, const std::vector<std::size_t>& features,
      bool narrow);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const double* column(std::size_t c) const {
    return values_.data() + places_[c] * rows_;
  }
  // In single precision: columns that follow each other in the running order do so here.
  [[nodiscard]] const float* narrow(std::size_t c) const {
    return narrow_.data() + places_[c] * rows_;
  }
  [[nodiscard]] bool has_narrow() const { return !narrow_.empty(); }
  [[nodiscard]] std::size_t place(std::size_t c) const { return places_[c]; }
  [[nodiscard]] double square(std::size_t c) const { return squares_[places_[c]]; }

 private:
  std::size_t rows_;
  std::vector<std::size_t> places_;  // of each design column
  Buffer values_;
  std::vector<float> narrow_;
  std::vector<double> squares_;  // their squared lengths
};

}  // namespace fsieve::span
