// The CPU's side of the check: random tables, and the sums of subsets row by row, nothing shared
// with the kernels but the definition, and the numbers of subsets, which number_of() goes back
// from.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "device/screen_abi.h"
#include "subsets.h"

namespace twin {

using fsieve_cuda::choose;

// A subset that walks in the order of the numbers.
struct Subset {
  std::array<std::uint32_t, 6> features{};
  int k = 0;

  Subset(std::uint64_t number, int size) : k(size) {
    const std::vector<int> ascending = fsieve_cuda::subset_of(number, k);
    std::copy(ascending.begin(), ascending.end(), features.begin());
  }
  void step() {
    for (int j = 0; j < k; ++j) {
      if (j + 1 == k || features[j] + 1 < features[j + 1]) {
        ++features[j];
        return;
      }
      features[j] = static_cast<std::uint32_t>(j);
    }
  }
};

inline std::uint64_t number_of(const std::uint32_t* features, int k) {
  std::uint64_t number = 0;
  for (int j = 0; j < k; ++j) number += choose(features[j], j + 1);
  return number;
}

struct Table {
  std::uint64_t d, rows[2], first[2], length[2], words;
  std::vector<std::uint64_t> bits;
  std::vector<float> set, clear;

  // Features of uneven shares; the label is the parity of three of them, in `signal` of the rows.
  Table(std::uint64_t features, std::uint64_t n, double share, double signal, std::uint64_t seed)
      : d(features) {
    std::mt19937_64 random(seed);
    rows[1] = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share * static_cast<double>(n)),
                                        1, n - 1);
    rows[0] = n - rows[1];
    words = 0;
    for (int c = 0; c < 2; ++c) {
      first[c] = words;
      length[c] = (rows[c] + 63) / 64;
      words += length[c] + seed % 3;  // a gap, perhaps
    }
    bits.assign(d * words, 0);
    std::vector<std::uint64_t> rare(d);
    for (auto& r : rare) r = random() % 4;
    if (signal > 0 && d > 12)
      rare[d / 7] = rare[d / 3] = rare[d - 5] = 0;  // each alone says nothing
    for (std::uint64_t j = 0; j < d; ++j) {
      for (int c = 0; c < 2; ++c) {
        for (std::uint64_t w = 0; w < length[c]; ++w) {
          std::uint64_t word = random();
          if (rare[j] == 1) word &= random();
          if (rare[j] == 2) word |= random();
          bits[j * words + first[c] + w] = word;
        }
      }
    }
    if (signal > 0 && d > 12) plant(signal, random);
    for (std::uint64_t j = 0; j < d; ++j) {
      for (int c = 0; c < 2; ++c) {
        const std::uint64_t over = length[c] * 64 - rows[c];
        if (over > 0) bits[j * words + first[c] + length[c] - 1] &= ~std::uint64_t{0} >> over;
      }
    }
    for (std::uint64_t j = 0; j < d; ++j) {
      std::uint64_t high = 0;
      for (int c = 0; c < 2; ++c) {
        for (std::uint64_t w = 0; w < length[c]; ++w) {
          high += std::popcount(bits[j * words + first[c] + w]);
        }
      }
      const auto all = static_cast<double>(n);
      set.push_back(static_cast<float>(all / std::max<double>(1, static_cast<double>(high))));
      clear.push_back(
          static_cast<float>(all / std::max<double>(1, all - static_cast<double>(high))));
    }
  }

  void plant(double signal, std::mt19937_64& random) {
    const std::uint64_t chosen[3] = {d / 7, d / 3, d - 5};
    for (int c = 0; c < 2; ++c) {
      for (std::uint64_t w = 0; w < length[c]; ++w) {
        std::uint64_t keep = 0;
        for (int i = 0; i < 64; ++i) {
          keep |= std::uint64_t{static_cast<double>(random() % 1000) < 1000 * signal} << i;
        }
        const std::uint64_t at = first[c] + w;
        const std::uint64_t wanted = bits[chosen[0] * words + at] ^ bits[chosen[1] * words + at] ^
                                     (c == 1 ? ~std::uint64_t{0} : 0);
        std::uint64_t& last = bits[chosen[2] * words + at];
        last = (wanted & keep) | (last & ~keep);
      }
    }
  }

  [[nodiscard]] fsieve_screen_table view(int k, int sum) const {
    return {static_cast<std::uint32_t>(k),
            static_cast<std::uint32_t>(sum),
            d,
            words,
            bits.data(),
            {first[0], first[1]},
            {length[0], length[1]},
            {rows[0], rows[1]},
            set.data(),
            clear.data()};
  }

  // Rows per cell.
  void cells(const Subset& subset, std::array<std::int64_t, 64> (&table)[2]) const {
    const int masks = 1 << subset.k;
    for (int c = 0; c < 2; ++c) {
      std::array<std::uint64_t, 64> together{};
      table[c].fill(0);
      for (std::uint64_t w = first[c]; w < first[c] + length[c]; ++w) {
        together[0] = ~std::uint64_t{0};
        for (int j = 0; j < subset.k; ++j) {
          const std::uint64_t word = bits[subset.features[j] * words + w];
          for (int mask = 0; mask < 1 << j; ++mask)
            together[(1 << j) + mask] = together[mask] & word;
        }
        for (int mask = 1; mask < masks; ++mask) table[c][mask] += std::popcount(together[mask]);
      }
      table[c][0] = static_cast<std::int64_t>(rows[c]);
      for (int step = 1; step < masks; step *= 2) {
        for (int mask = 0; mask < masks; ++mask) {
          if ((mask & step) == 0) table[c][mask] -= table[c][mask + step];
        }
      }
    }
  }

  [[nodiscard]] double sum(const Subset& subset, int kind) const {
    std::array<std::int64_t, 64> table[2];
    cells(subset, table);
    double total = 0;
    for (int cell = 0; cell < 1 << subset.k; ++cell) {
      const double lead = std::abs(static_cast<double>(table[1][cell] - table[0][cell]));
      const auto all = static_cast<double>(table[1][cell] + table[0][cell]);
      if (kind == fsieve_sum_of_leads) {
        total += std::max(lead, 1.0);
      } else if (all > 0) {
        double weight = 1;
        for (int j = 0; j < subset.k; ++j) {
          weight *= (cell >> j & 1) != 0 ? set[subset.features[j]] : clear[subset.features[j]];
        }
        total += weight * (std::max(lead, 1.0) * (all - 1) + 1);
      }
    }
    return total;
  }

  // M_n: the score that the search ranks by.
  [[nodiscard]] double score(const Subset& subset) const {
    std::array<std::int64_t, 64> table[2];
    cells(subset, table);
    double whole = 0;
    double shares = 0;
    for (int cell = 0; cell < 1 << subset.k; ++cell) {
      const std::int64_t all = table[0][cell] + table[1][cell];
      const std::int64_t lead = std::abs(table[1][cell] - table[0][cell]);
      if (all == 0) continue;
      whole += lead == 0 ? 1 : static_cast<double>(lead);
      if (lead > 0) shares += static_cast<double>(lead) / static_cast<double>(all);
    }
    return (whole - shares) / (static_cast<double>(rows[0] + rows[1]) - 1);
  }
};

// body(i) for i < count on all cores.
template <class Body>
void on_all_cores(std::uint64_t count, const Body& body) {
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < cores; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = count * t / cores; i < count * (t + 1) / cores; ++i) body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The sums of the subsets with numbers from `from` to `to` - 1.
inline std::vector<double> all_sums(const Table& table, int k, int kind, std::uint64_t from,
                                    std::uint64_t to) {
  std::vector<double> sums(to - from);
  constexpr std::uint64_t step = 256;
  on_all_cores((sums.size() + step - 1) / step, [&](std::uint64_t block) {
    Subset subset(from + block * step, k);
    for (std::uint64_t i = block * step;
         i < std::min<std::uint64_t>((block + 1) * step, sums.size()); ++i) {
      sums[i] = table.sum(subset, kind);
      subset.step();
    }
  });
  return sums;
}

}  // namespace twin
