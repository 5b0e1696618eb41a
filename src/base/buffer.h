// Large arrays of numbers that are not cleared before they are written: clearing a matrix of some
// hundred MiB on one thread costs as much as counting it (bench/uffs, ±1 columns).
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace fsieve::inline base {

namespace detail {
struct FreeAligned {
  std::size_t alignment = 0;
  void operator()(double* values) const { ::operator delete(values, std::align_val_t(alignment)); }
};
}  // namespace detail

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size);
  Buffer(std::size_t size, double value);  // on all threads
  Buffer(const Buffer& other) : Buffer(other.size_) { std::copy_n(other.data(), size_, data()); }
  Buffer& operator=(const Buffer& other) { return *this = Buffer(other); }
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&&) noexcept = default;
  ~Buffer() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double* data() { return values_.get(); }
  [[nodiscard]] const double* data() const { return values_.get(); }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<double[], detail::FreeAligned> values_;
};

}  // namespace fsieve::base
