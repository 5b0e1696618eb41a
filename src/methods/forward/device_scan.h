// Scans for hidden subsets on a device, in double precision: it forms the products of columns,
// multiplies and sifts, and only pairs that may be among the best come back. What is promised is
// what pair_promises.h says, but for rounding.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "data/supervised_data.h"
#include "linalg/accelerator.h"

namespace fsieve::inline methods {

// The columns of a table that make products, on a device.
class DeviceColumns {
 public:
  // `data` must outlive it.
  DeviceColumns(std::shared_ptr<blas::Accelerator> device, const SupervisedData& data);

  // Is there room for them, and for as much again to work with?
  [[nodiscard]] static bool fit(const blas::Accelerator& device, const SupervisedData& data);

  [[nodiscard]] blas::Accelerator& device() const { return *device_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // Where a column of the design stands among them.
  [[nodiscard]] std::size_t place(std::size_t column) const { return place_[column]; }
  // All of them, and behind them room for the factors of a scan: so many.
  [[nodiscard]] blas::Place all() const { return {array_.get(), 0, stride_}; }
  [[nodiscard]] std::size_t factors() const { return count_; }  // the first one's place

 private:
  std::shared_ptr<blas::Accelerator> device_;
  std::size_t rows_;
  std::size_t stride_;
  std::size_t count_ = 0;
  std::vector<std::size_t> place_;
  blas::Accelerator::Array array_;
};

// One scan: some of the columns against a residual, whose columns come one after another.
class DeviceScan {
 public:
  // The first two must outlive it.
  DeviceScan(const DeviceColumns& columns, const std::vector<double>& residual,
             const std::vector<std::size_t>& scanned);

  // What all pairs of columns u < v promise, times `weight`: it stays on the device, and the host
  // gets it at [u + v * columns].
  [[nodiscard]] std::vector<double> keep_pairs(const std::vector<double>& weight);

  // Which pairs u < v < top are wanted.
  struct Wanted {
    std::vector<double> terms;  // of each column, that are added for u and for v
    bool with_pairs = false;    // what keep_pairs found is added
    std::function<double()> least;
    // u, v, and the promise with all that is added; whoever is below `least` by now may come too.
    std::function<void(std::size_t, std::size_t, double)> take;
  };
  void scan(std::size_t top, const std::vector<double>& weight, const Wanted& wanted);

 private:
  struct Band {
    std::size_t first = 0, end = 0;  // of v
    [[nodiscard]] std::size_t width() const { return end - first; }
  };
  struct Rectangle {
    std::size_t u0, u1, v0, v1;
  };

  [[nodiscard]] std::vector<Band> bands(std::size_t top) const;
  void put_factors(const std::vector<double>& weight);
  [[nodiscard]] blas::Place promises_of(const Band& band);
  void multiply(const Band& band, const blas::Place& inner, const blas::Place& norms);
  void sift(const Rectangle& part, const Band& band, const blas::Place& promises,
            const Wanted& wanted);

  const DeviceColumns& columns_;
  const std::vector<double>& residual_;
  blas::Accelerator& device_;
  std::size_t labels_;
  std::size_t count_;                   // of columns
  std::size_t own_;                     // functions that are formed of each
  std::vector<std::uint32_t> factors_;  // of these functions
  blas::Accelerator::Array terms_;
  blas::Accelerator::Array pairs_;  // what keep_pairs found
  blas::Accelerator::Array work_;   // the matrices of a band
  std::size_t work_size_ = 0;
};

}  // namespace fsieve::methods
