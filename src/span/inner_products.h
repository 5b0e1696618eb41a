// Inner products of parities over the whole data, by the cheapest exact way.
#pragma once

#include <cstddef>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/progress.h"
#include "fsieve/source.h"

namespace fsieve::inline span {

// Two-valued columns are counted in bits where that is possible (not with weights); `never` is for
// comparison.
enum class Counting { allowed, never };

// Would they be counted?
[[nodiscard]] bool can_be_counted(const Source& source, const Design& design,
                                  const std::vector<Parity>& old_parities,
                                  const std::vector<Parity>& new_parities,
                                  const std::vector<std::size_t>& singles);

// <f, g> = (1/n) sum w_i f(x_i) g(x_i), n = sum w_i, for every g of new_parities (columns) and
// every f of old_parities, new_parities (lower triangle only) and single columns, in this order
// (rows); column-major. One pass over the data.
[[nodiscard]] Buffer inner_products(const Source& source, const Design& design,
                                    const std::vector<Parity>& old_parities,
                                    const std::vector<Parity>& new_parities,
                                    const std::vector<std::size_t>& singles, Progress& progress,
                                    Counting counting = Counting::allowed);

}  // namespace fsieve::span
