// A table of bits that was brought to the GPU (bits.cuh), and what is made of its columns alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bits.cuh"
#include "device/screen_abi.h"
#include "items.cuh"
#include "memory.h"

namespace fsieve_cuda {

class LoadedTable {
 public:
  LoadedTable(const fsieve_screen_table& given, cudaStream_t stream)
      : stream_(stream), products_(given.sum == fsieve_sum_of_products) {
    if (given.rows[0] + given.rows[1] >= std::uint64_t{1} << 31U) {
      throw Failure("it counts fewer than 2^31 rows");
    }
    if (given.features > std::uint64_t{1} << 24U) throw Failure("it takes at most 2^24 features");
    take_memory(given);
    load(given);
    if (products_) load_weights(given);
    check(cudaStreamSynchronize(stream_));
  }

  [[nodiscard]] const BitTable& bits() const { return table_; }
  [[nodiscard]] int padded() const { return table_.padded; }
  // Sums of products are asked for, not of leads; then features have weights, set and clear.
  [[nodiscard]] bool products() const { return products_; }
  [[nodiscard]] const float* weights(int of) const { return weights_[of].get(); }
  // What the second class has more than the first.
  [[nodiscard]] float lead_of_all() const {
    return static_cast<float>(static_cast<std::int64_t>(table_.bits - table_.split) -
                              static_cast<std::int64_t>(table_.split));
  }

  // The outer columns from `first` (where a bunch begins; below 0: none but `which` itself) to
  // `last`, in whole bunches. In several parts each has the next feature in the place of the first
  // of `which`.
  void outer_columns(const Together& which, int first, int last, Buffer<std::uint32_t>& out,
                     int parts = 1) const {
    constexpr int most = 32768;  // that a grid takes, and more
    const int blocks = first < 0 ? warps_of_group
                                 : (last / bunch_width - first / bunch_width + 1) * warps_of_group;
    const std::size_t words = static_cast<std::size_t>(table_.words()) * outer_width;
    out.reserve(words * blocks * parts);
    for (int block = 0; block < blocks; block += most) {
      const dim3 grid((table_.words() + 127) / 128, std::min(most, blocks - block), parts);
      make_outer<<<grid, 128, 0, stream_>>>(table_, which, first + block * outer_width,
                                            out.get() + words * block);
    }
  }

 private:
  void take_memory(const fsieve_screen_table& given) {
    table_.features = static_cast<int>(given.features);
    table_.padded = (table_.features + tile - 1) / tile * tile;
    table_.split = given.rows[0];
    table_.bits = given.rows[0] + given.rows[1];
    table_.chunks = static_cast<int>((table_.bits + 1023) / 1024);
    const std::size_t words = static_cast<std::size_t>(table_.padded) * table_.words();
    plain_.reserve(words);
    tiles_[0].reserve(words * 4);
    tiles_[1].reserve(words * 4);
    table_.plain = plain_.get();
    table_.rows = tiles_[0].get();
    table_.columns = tiles_[1].get();
    check(cudaMemsetAsync(table_.plain, 0, words * 4, stream_));
  }

  // Some features at a time: the host's copy need not fit a second time.
  void load(const fsieve_screen_table& given) {
    const std::size_t step =
        std::clamp<std::size_t>((std::size_t{256} << 20U) / (given.words * 8), 1, 32768);
    Buffer<std::uint64_t> part;
    part.reserve(step * given.words);
    for (std::size_t first = 0; first < static_cast<std::size_t>(table_.padded); first += step) {
      const std::size_t end = std::min<std::size_t>(first + step, table_.padded);
      const std::size_t real = std::min<std::size_t>(end, given.features);
      check(cudaMemsetAsync(part.get(), 0, step * given.words * 8, stream_));
      if (real > first) {
        check(cudaMemcpyAsync(part.get(), given.bits + first * given.words,
                              (real - first) * given.words * 8, cudaMemcpyHostToDevice, stream_));
      }
      const dim3 grid((table_.words() + 127) / 128, static_cast<unsigned>(end - first));
      pack<<<grid, 128, 0, stream_>>>(table_, part.get(), given.words, given.first[0],
                                      given.length[0], given.first[1], given.length[1],
                                      static_cast<int>(first));
    }
    check(cudaStreamSynchronize(stream_));  // the part goes
  }

  void load_weights(const fsieve_screen_table& given) {
    const float* const from[2] = {given.set, given.clear};
    for (int of = 0; of < 2; ++of) {
      weights_[of].reserve(table_.padded);
      check(cudaMemcpyAsync(weights_[of].get(), from[of], given.features * sizeof(float),
                            cudaMemcpyHostToDevice, stream_));
    }
  }

  cudaStream_t stream_;
  bool products_;
  BitTable table_;
  Buffer<std::uint32_t> plain_;
  Buffer<std::uint8_t> tiles_[2];
  Buffer<float> weights_[2];
};

}  // namespace fsieve_cuda
