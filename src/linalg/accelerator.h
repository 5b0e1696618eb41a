// Matrices on a device that multiplies them faster than the cores: whoever has such work asks this
// interface, and does not know what is behind it. Column-major doubles. Calls return before the
// work is done, which goes in the order of the calls; get() waits for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "linalg/blas.h"

namespace fsieve::blas {

// A matrix within an array of the device.
struct Place {
  void* array = nullptr;
  std::size_t offset = 0;  // of its first number
  std::size_t stride = 0;  // from column to column

  [[nodiscard]] Place at(std::size_t row, std::size_t column) const {
    return {array, offset + row + column * stride, stride};
  }
};

// The distance of columns at which devices multiply best: each begins at a multiple of 64 bytes.
[[nodiscard]] inline std::size_t even_stride(std::size_t rows) { return (rows + 7) / 8 * 8; }

// Rows sent to a device at a time: enough for products at full rate.
inline constexpr std::size_t most_device_rows = 16'384;

// Functions that are products of columns: `most` factors each, of which `none` count 1.
struct ColumnProducts {
  static constexpr std::uint32_t none = UINT32_MAX;
  const std::uint32_t* factors = nullptr;  // function after function
  std::size_t count = 0;
  std::size_t most = 0;
};

// An m x n matrix of which only the entries (i, j) with i < j + first are looked at: those above a
// diagonal.
struct Above {
  std::size_t m = 0;
  std::size_t n = 0;
  std::int64_t first = 0;
};

// Entries that were found; there may be more of them than were listed.
struct FoundEntries {
  struct Entry {
    std::uint32_t row, column;
    double value;
  };
  std::vector<Entry> listed;  // in no order
  std::size_t count = 0;
};

class Accelerator {
 public:
  using Array = std::shared_ptr<void>;

  Accelerator() = default;
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;
  virtual ~Accelerator() = default;

  // How many numbers can be taken now, about.
  [[nodiscard]] virtual std::size_t room() const = 0;
  // So many numbers, which are given back with the last copy of the handle. They hold anything.
  [[nodiscard]] virtual Array take(std::size_t count) = 0;

  // `from` may be changed when the call returns.
  virtual void put(const double* from, std::size_t from_stride, std::size_t rows,
                   std::size_t columns, const Place& to) = 0;
  virtual void get(const Place& from, std::size_t rows, std::size_t columns, double* to,
                   std::size_t to_stride) = 0;
  virtual void copy(const Place& from, std::size_t rows, std::size_t columns, const Place& to) = 0;

  // The values of functions of `columns` on so many rows, one column each.
  virtual void evaluate(const ColumnProducts& functions, const Place& columns, std::size_t rows,
                        const Place& values) = 0;

  // As in blas.h.
  virtual void gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, double alpha,
                    const Place& a, const Place& b, double beta, const Place& c) = 0;
  // The upper triangle of C holds anything afterwards.
  virtual void syrk_lower(Op op, std::size_t n, std::size_t k, double alpha, const Place& a,
                          double beta, const Place& c) = 0;
  virtual void solve_lower(std::size_t m, std::size_t n, const Place& l, const Place& b) = 0;
  virtual void solve_right_transposed(std::size_t m, std::size_t n, const Place& l,
                                      const Place& b) = 0;

  // Entry by entry: the sum of the squares of the inner products with `labels` columns, one matrix
  // for each, n columns after the last, over the square of a norm.
  virtual void shares(const Above& entries, std::size_t labels, const Place& inner,
                      const Place& norms, const Place& to) = 0;
  // The entries of A + B that are `least` or more with the terms of their row and of their column
  // added; B may be null. At most `room` are listed.
  [[nodiscard]] virtual FoundEntries find(const Above& entries, const Place& a, const Place* b,
                                          const Place& row_terms, const Place& column_terms,
                                          double least, std::size_t room) = 0;

  // Waits until all that was asked for before the last call of this function is done: so whoever
  // asks for much is never far ahead, and can be stopped.
  virtual void keep_pace() = 0;
};

}  // namespace fsieve::blas
