// One wave of the Gram engine: new parities, their inner products, and the blocked Cholesky
// factorisation that keeps the non-trivial ones (001 eq. 7 and Algorithm 1).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "span/wave_panel.h"

namespace fsieve::inline span {

// The inner products, turned step by step into coordinates on the orthonormal functions. Column q
// belongs to new parity q; below the `old` rows of the basis so far stand the new parities, then
// single columns. Only the lower triangle of the new parities' part is used.
class WaveMatrix : public WaveColumns {
 public:
  WaveMatrix(Buffer inner_products, std::size_t old_rows, std::size_t columns, std::size_t singles);

  // The new parities' inner products with themselves, before anything else is done.
  [[nodiscard]] std::vector<double> squares() const;

  // Replaces inner products with the old parities by coordinates on the old basis, and takes the
  // old basis out of the rest. `lower`: old x old, columns `stride` apart; `single_coordinates`:
  // singles x old.
  void project_out(const double* lower, std::size_t stride,
                   const std::vector<double>& single_coordinates);

  // Factorises columns [begin, end). For each, in order, `keep` is told its squared residual norm
  // (and may ask for others of the panel by residual2) and says whether it stays. Returns those
  // that stay; their columns then hold coordinates of everything below.
  std::vector<std::size_t> factorise(std::size_t begin, std::size_t end,
                                     const std::function<bool(std::size_t)>& keep);

  // Nothing is left to be formed or fetched: see WaveOnDemand and DeviceWave.
  void form_singles() const {}
  void form_rest() const {}
  void fetch() const {}

  [[nodiscard]] double single_on_new(std::size_t single, std::size_t q) const {
    return on_new(columns_ + single, q);
  }

 private:
  void update_rest(std::size_t end, const std::vector<std::size_t>& kept);

  std::size_t columns_;
  std::size_t singles_;
};

}  // namespace fsieve::span
