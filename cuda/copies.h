// Copies between the host and the GPU through memory that the GPU copies at full speed, some
// megabytes at a time: the host's part of one and the GPU's part of others go on side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "memory.h"

namespace fsieve_cuda {

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream)); }
  // The host waits, or a stream does. At once where nothing was recorded.
  void wait() const { check(cudaEventSynchronize(event_)); }
  void wait(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

class Copies {
 public:
  Copies() {
    for (Slot& slot : slots_) slot.memory.reserve(slot_numbers * sizeof(double));
  }

  // Matrices: columns `stride` apart.
  void to_device(const double* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
                 double* to, std::size_t to_stride, cudaStream_t stream) {
    for (const Piece& p : pieces(rows, columns)) {
      Slot& slot = next();
      for (std::size_t j = 0; j < p.columns; ++j) {
        std::memcpy(slot.numbers() + j * p.rows, from + p.row + (p.column + j) * from_stride,
                    p.rows * sizeof(double));
      }
      check(cudaMemcpy2DAsync(to + p.row + p.column * to_stride, to_stride * sizeof(double),
                              slot.numbers(), p.rows * sizeof(double), p.rows * sizeof(double),
                              p.columns, cudaMemcpyHostToDevice, stream));
      slot.done.record(stream);
    }
  }

  // Waits for all of it.
  void to_host(const double* from, std::size_t from_stride, std::size_t rows, std::size_t columns,
               double* to, std::size_t to_stride, cudaStream_t stream) {
    const std::vector<Piece> all = pieces(rows, columns);
    std::array<Slot*, slot_count> under_way{};
    const auto finish = [&](std::size_t i) {
      const Slot& slot = *under_way[i % slot_count];
      slot.done.wait();
      unpack(slot, all[i], to, to_stride);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= slot_count) finish(i - slot_count);
      const Piece& p = all[i];
      Slot& slot = next();
      under_way[i % slot_count] = &slot;
      check(cudaMemcpy2DAsync(slot.numbers(), p.rows * sizeof(double),
                              from + p.row + p.column * from_stride, from_stride * sizeof(double),
                              p.rows * sizeof(double), p.columns, cudaMemcpyDeviceToHost, stream));
      slot.done.record(stream);
    }
    for (std::size_t i = all.size() - std::min(all.size(), slot_count); i < all.size(); ++i) {
      finish(i);
    }
  }

 private:
  static constexpr std::size_t slot_count = 4;
  static constexpr std::size_t slot_numbers = std::size_t{1} << 20U;

  struct Slot {
    PinnedBuffer memory;
    Event done;
    [[nodiscard]] double* numbers() const { return reinterpret_cast<double*>(memory.get()); }
  };
  struct Piece {
    std::size_t row, rows, column, columns;
  };

  // Each fits a slot: whole columns, or a part of one.
  static std::vector<Piece> pieces(std::size_t rows, std::size_t columns) {
    std::vector<Piece> all;
    if (rows == 0) return all;
    const std::size_t height = std::min(rows, slot_numbers);
    const std::size_t width = slot_numbers / height;
    for (std::size_t column = 0; column < columns; column += width) {
      for (std::size_t row = 0; row < rows; row += height) {
        all.push_back(
            {row, std::min(height, rows - row), column, std::min(width, columns - column)});
      }
    }
    return all;
  }

  static void unpack(const Slot& slot, const Piece& p, double* to, std::size_t to_stride) {
    for (std::size_t j = 0; j < p.columns; ++j) {
      std::memcpy(to + p.row + (p.column + j) * to_stride, slot.numbers() + j * p.rows,
                  p.rows * sizeof(double));
    }
  }

  // One that no copy uses any more.
  Slot& next() {
    Slot& slot = slots_[turn_++ % slot_count];
    slot.done.wait();
    return slot;
  }

  std::array<Slot, slot_count> slots_;
  std::size_t turn_ = 0;
};

}  // namespace fsieve_cuda
