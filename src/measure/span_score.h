// The measure of a set of features from the span of their functions: the projection of the label on
// it and its leverages are all that is needed (000 section 3; docs/select.md).
#pragma once

#include <cstddef>
#include <span>

#include "data/label.h"
#include "fsieve/measure.h"

namespace fsieve::inline measure {

// Which measure a label has.
[[nodiscard]] Measure measure_of(const Label& label);

// `basis`: orthonormal columns (unit length) of label.rows numbers, one after another, of functions
// times √w where rows have weights; the constant must be in their span. M_n (000 eq. 7) for two
// classes, the leave-one-out Bayes accuracy for more, q2 for a number.
[[nodiscard]] double span_score(const Label& label, std::span<const double> basis);

// The same from what the span leaves of the label's columns (as Label::scaled_columns gives them)
// and the leverages of the rows.
[[nodiscard]] double residual_score(const Label& label, std::span<const double> residual,
                                    std::span<const double> leverages);

}  // namespace fsieve::measure
