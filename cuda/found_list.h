// The list of subsets that were found, in the memory of the GPU, and its way to the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "hits.cuh"
#include "memory.h"

namespace fsieve_cuda {

class FoundList {
 public:
  FoundList(int k, std::uint64_t room) : k_(k), room_(room) {
    list_.reserve(head + room_ * record_words() * 4);
    first_.reserve(first_bytes());
  }

  void clear(cudaStream_t stream) { check(cudaMemsetAsync(list_.get(), 0, head, stream)); }

  // Where kernels add to it.
  [[nodiscard]] Hits hits() const {
    return {reinterpret_cast<unsigned long long*>(list_.get()), room_,
            reinterpret_cast<std::uint32_t*>(list_.get() + head)};
  }

  // Waits. How many were found; those that there was room for are written to `found`, k features
  // each, and their sums, where they are asked for.
  std::int64_t fetch(std::uint32_t* found, float* sums, cudaStream_t stream) {
    // Most often few were found: they come with their number.
    check(
        cudaMemcpyAsync(first_.get(), list_.get(), first_bytes(), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    const auto count = *reinterpret_cast<const unsigned long long*>(first_.get());
    const std::size_t written = std::min<unsigned long long>(count, room_);
    const std::size_t bytes = written * record_words() * 4;
    std::vector<std::uint32_t> rest;
    const auto* records = reinterpret_cast<const std::uint32_t*>(first_.get() + head);
    if (bytes > first_records * record_words() * 4) {
      rest.resize(written * record_words());
      check(cudaMemcpy(rest.data(), list_.get() + head, bytes, cudaMemcpyDeviceToHost));
      records = rest.data();
    }
    for (std::size_t i = 0; i < written; ++i, records += record_words()) {
      std::copy_n(records, k_, found + i * k_);
      if (sums != nullptr) std::memcpy(sums + i, records + k_, sizeof(float));
    }
    return static_cast<std::int64_t>(count);
  }

 private:
  // In memory: how many there are, then k features and a sum each.
  static constexpr std::size_t head = 16;
  static constexpr std::size_t first_records = 256;
  [[nodiscard]] std::size_t record_words() const { return static_cast<std::size_t>(k_) + 1; }
  [[nodiscard]] std::size_t first_bytes() const {
    return head + std::min<std::size_t>(first_records, room_) * record_words() * 4;
  }

  int k_;
  std::uint64_t room_;
  Buffer<std::uint8_t> list_;
  PinnedBuffer first_;
};

}  // namespace fsieve_cuda
