// 000 Theorem 2: how much worse than the best k features the chosen ones can be.
#pragma once

#include <vector>

#include "data/supervised_data.h"
#include "fsieve/measure.h"

namespace fsieve::inline measure {

// sqrt(λ(k) log(d/δ) / (n − 1)) with λ(k) = 8 k 2^2k c_k², where c_k is the largest squared value
// of an orthogonalised parity of the chosen features, at least 1. The theorem's term O(n^−γ) is
// left out. `candidates`: the d features that were chosen from.
[[nodiscard]] LossBound loss_bound(const SupervisedData& data,
                                   const std::vector<std::size_t>& chosen, std::size_t candidates,
                                   double delta);

}  // namespace fsieve::measure
