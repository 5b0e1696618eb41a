// How a selection (fsieve/sffs.h) looks at features and label, beside what it looks for.
#pragma once

#include "fsieve/sffs.h"

namespace fsieve {

// What a real-valued feature brings: its column, or with it, where they say more, polynomials of
// its ranks, so that any dependence on it is seen.
enum class Shape { plain, curve };

struct SelectionManner {
  Shape shape = Shape::curve;  // of the forward search and the beam
  bool balanced = false;       // every class weighs the same
  bool robust = false;         // a number as label enters by the normal scores of its ranks
};

[[nodiscard]] SffsResult sffs(const Source& source, const SffsOptions& options,
                              const SelectionManner& manner, Progress& progress);

}  // namespace fsieve
