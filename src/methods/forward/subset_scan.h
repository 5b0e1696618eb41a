// Which small subsets of free features hold, by their own products, most of what is left of the
// label: a quick look at all of them, to find the few that are worth computing exactly.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"
#include "fsieve/progress.h"
#include "methods/forward/device_scan.h"

namespace fsieve::inline methods {

// The most promising subsets of `size` of the features, best first, at most `limit`; those with a
// product that fewer than `least_rows` rows may carry (by the largest values of its factors) are
// left out. A subset's
// promise is the sum, over its products taken one by one and not made orthogonal, of the squared
// inner product with the residual (label columns one after another) over the squared norm. `device`
// has the columns of the data; null: the cores do it.
[[nodiscard]] std::vector<std::vector<std::size_t>> promising_subsets(
    const SupervisedData& data, const std::vector<double>& residual,
    const std::vector<std::size_t>& features, int size, double least_rows, std::size_t limit,
    const DeviceColumns* device, Progress& progress);

// Multiply-adds of such a scan; 0 where counts of bits do.
[[nodiscard]] double work_of_scan(const SupervisedData& data, const std::vector<double>& residual,
                                  const std::vector<std::size_t>& features, int size);

}  // namespace fsieve::methods
