// How often a sum over rows is as large when the rows of the label are exchanged at random: the
// right null whatever the tails of label and features, where the F distribution asks for normal
// noise. By a saddlepoint, so chances far below what shuffles can show are told as well.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace fsieve::inline stats {

struct LabelAtoms;

struct ExchangeTail {
  double log_chance = 0;  // of a sum as far from 0, to either side
  double z = 0;           // the sum in deviations of its exchanges
};

// The sum is Σ_i <weights_i, label_i> over the rows; both have `columns` columns over `rows` rows,
// one after another, and the label's columns sum to 0. `counts`: how many rows each stands for, or
// empty.
//
// P(S ≥ s) for independent draws of the label's rows, given that sum and squares of the label come
// out as they are (for classes: the size of every class): with K(θ, γ) = Σ_i log E_j exp(θ<w_i,
// R_j> + γ·g_j) and its minimum of K − θs, P ≈ exp(K − θs) √(|K_γγ(0)| / |K_γγ|) · B(θ√v), v the
// variance of the tilted sum given the conditions, B(x) = exp(x²/2) P(Z > x). The largest share
// that one row can add widens B as for a sum on a lattice.
[[nodiscard]] ExchangeTail exchange_tail(std::size_t rows, std::size_t columns,
                                         const std::vector<double>& weights,
                                         const std::vector<double>& label,
                                         const std::vector<double>& counts);

// The same for many sums over one label, whose part of the work is done once. `label` and `counts`
// are kept by reference.
class ExchangedLabel {
 public:
  ExchangedLabel(std::size_t rows, std::size_t columns, const std::vector<double>& label,
                 const std::vector<double>& counts);
  [[nodiscard]] ExchangeTail tail(const std::vector<double>& weights) const;

 private:
  std::size_t rows_;
  std::size_t columns_;
  const std::vector<double>& label_;
  const std::vector<double>& counts_;
  std::shared_ptr<const LabelAtoms> atoms_;
};

}  // namespace fsieve::stats
