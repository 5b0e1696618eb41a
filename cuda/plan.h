// Which way subsets of a table are screened, and how large the tables of counts may be for that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "bits.cuh"
#include "calls.h"
#include "items.cuh"
#include "memory.h"

namespace fsieve_cuda {

struct Plan {
  int k = 0;
  bool fused = false;     // bounded where the counts are; tables are of floats then
  int side = 0;           // features of a table of pairs
  std::size_t slab = 0;   // tables of triples that are made together
  std::size_t pairs = 0;  // tables that are kept
  std::size_t slabs = 0;

  Plan(int size, bool products, const BitTable& table) : k(size), side(table.padded) {
    constexpr std::uint64_t most_exact_rows = std::uint64_t{1} << 23U;  // of endings.cuh
    fused = !products && table.bits < most_exact_rows && (k == 3 || k == 4);
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const std::size_t usable = std::min(free / 10 * 8, most_memory());
    const std::size_t sets = std::size_t{1} << std::max(k - 3, 0);
    const std::size_t needed = cut_pairs(usable, sets);
    const std::size_t left = usable - needed * 2 * square();
    if (fused && k == 4) fused = 2 * square() * side <= left / 2;
    slabs = 1;
    if (k > 2 && !fused) cut_triples(left, sets, products ? 2 : 1, table.padded);
    // More of them than needed at once, as far as they fit.
    pairs = needed + std::min<std::size_t>(left / 4 / (2 * square()), 64);
    slabs = std::min<std::size_t>(slabs, 256);
  }

 private:
  [[nodiscard]] std::size_t square() const {
    return static_cast<std::size_t>(side) * side * sizeof(int);
  }

  // Tables of pairs that do not fit are made in parts. How many are needed at a time.
  std::size_t cut_pairs(std::size_t usable, std::size_t sets) {
    std::size_t needed = sets;
    if (k <= 3 && (fused || k == 2)) {
      if (2 * square() > usable) needed = 3;
      while (needed * 2 * square() > usable && side > tile) side -= tile;
    }
    if (needed * 2 * square() > usable) too_small(needed * 2 * square());
    return needed;
  }

  // One table of triples per set of fixed features; more are kept where there is room.
  void cut_triples(std::size_t left, std::size_t sets, std::size_t classes, int padded) {
    constexpr std::size_t most_bytes = std::size_t{2} << 30U;
    slab = std::clamp<std::size_t>(
        std::min(most_bytes, left / 2 / sets / classes) / square() / bunch_width * bunch_width, 0,
        (padded + bunch_width - 1) / bunch_width * bunch_width);
    if (slab == 0) too_small(2 * sets * classes * bunch_width * square());
    slabs = std::max<std::size_t>(left / 2 / (slab * classes * square()), sets);
  }

  [[noreturn]] static void too_small(std::size_t bytes) {
    throw Failure("its memory is too small, about " + std::to_string(bytes >> 20U) +
                  " MiB of tables are needed");
  }
};

}  // namespace fsieve_cuda
