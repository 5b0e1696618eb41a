// A wave of the Gram engine on a device: inner products are formed, projected and factorised there,
// and the host only decides, from the diagonal block in work, which parities stay. Its numbers are
// those of WaveMatrix but for rounding.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "fsieve/progress.h"
#include "linalg/accelerator.h"
#include "span/device_table.h"
#include "span/wave_panel.h"

namespace fsieve::inline span {

class DeviceWave {
 public:
  // One pass over the data. `table` must outlive it.
  DeviceWave(DeviceTable& table, const std::vector<Parity>& old_parities,
             const std::vector<Parity>& new_parities, const std::vector<std::size_t>& singles,
             Progress& progress);

  // Is there room for so many functions?
  [[nodiscard]] static bool fits(const DeviceTable& table, std::size_t old_parities,
                                 std::size_t new_parities, std::size_t singles);
  // Is it work for a device, too? Two-valued columns are counted by the cores.
  [[nodiscard]] static bool possible(const DeviceTable& table,
                                     const std::vector<Parity>& old_parities,
                                     const std::vector<Parity>& new_parities,
                                     const std::vector<std::size_t>& singles);

  // As in WaveMatrix.
  [[nodiscard]] std::vector<double> squares() const;
  void project_out(const double* lower, std::size_t stride,
                   const std::vector<double>& single_coordinates);
  std::vector<std::size_t> factorise(std::size_t begin, std::size_t end,
                                     const std::function<bool(std::size_t)>& keep);
  [[nodiscard]] double residual2(std::size_t q) const { return panel_.residual2(q); }

  // The coordinates of the single columns on all functions so far.
  void form_singles();
  void form_rest() const {}
  // All others.
  void fetch();

  // Of what fetch() has brought.
  [[nodiscard]] double on_old(std::size_t q, std::size_t k) const {
    return host_.data()[k + q * height_];
  }
  [[nodiscard]] double on_new(std::size_t row, std::size_t q) const {
    return host_.data()[old_ + row + q * height_];
  }
  // Of what form_singles() has brought.
  [[nodiscard]] double single_on_new(std::size_t single, std::size_t q) const {
    return on_singles_[single + q * singles_];
  }

 private:
  [[nodiscard]] blas::Place at(std::size_t row, std::size_t q) const {
    return all_.at(old_ + row, q);
  }
  void add_up(DeviceTable& table, const std::vector<Parity>& functions, Progress& progress);
  void update_rest(std::size_t end, const std::vector<std::size_t>& kept);

  blas::Accelerator& device_;
  std::size_t old_;
  std::size_t columns_;
  std::size_t singles_;
  std::size_t height_;
  std::size_t stride_;
  blas::Accelerator::Array data_;
  blas::Place all_;
  WavePanel panel_;
  std::size_t decided_ = 0;
  std::size_t singles_formed_ = 0;  // parities whose single products were fetched
  std::vector<double> on_singles_;  // singles x parities decided
  Buffer host_;
};

}  // namespace fsieve::span
