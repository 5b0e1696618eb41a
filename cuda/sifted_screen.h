// Subsets of any size, by any sum: the counts of {a, b, c} together with every subset of the
// features that are fixed go to tables, then a kernel reads them (sift.cuh).
#pragma once

#include <algorithm>
#include <vector>

#include "count_tables.h"
#include "sift.cuh"

namespace fsieve_cuda {

class SiftedScreen {
 public:
  explicit SiftedScreen(CountTables& tables) : tables_(tables), table_(tables.table()) {}

  // {c < b} for all b from `first` to `last`: tables of pairs are all that these need.
  void pairs(int first, int last, float least, const Hits& hits) {
    const int side = tables_.plan().side;
    for (int row = first / side; row <= last / side; ++row) {
      for (int column = 0; column <= row; ++column) {
        const int from = std::max(first, row * side);
        const int to = std::min(last, (row + 1) * side - 1);
        if (table_.products()) {
          part_of_pairs<2>(row, column, from, to, least, hits);
        } else {
          part_of_pairs<1>(row, column, from, to, least, hits);
        }
      }
    }
  }

  // Three to six features, from the subset `from` to the subset `to`, for whole a.
  void larger(const std::vector<int>& from, const std::vector<int>& to, float least,
              const Hits& hits) {
    const int k = tables_.plan().k;
    Set fixed = nothing;
    Set end = nothing;
    for (int i = 3; i < k; ++i) {
      fixed[i - 3] = from[i];
      end[i - 3] = to[i];
    }
    int first = from[2];
    for (;;) {
      const bool final_one = fixed == end;
      const int below = k > 3 ? fixed[0] : table_.bits().features;
      const int last = final_one ? to[2] : below - 1;
      if (table_.products()) {
        of_size<2>(fixed, first, last, least, hits);
      } else {
        of_size<1>(fixed, first, last, least, hits);
      }
      if (final_one) return;
      next(fixed);
      first = 2;
    }
  }

 private:
  template <int kClasses>
  void part_of_pairs(int row, int column, int first, int last, float least, const Hits& hits) {
    const int side = tables_.plan().side;
    SiftTask<2, kClasses> task = common_task<2, kClasses>(least, hits);
    const PairTable& of_pairs = tables_.pairs(nothing, row, column);
    task.pairs[0][0] = tables_.shifted(of_pairs, kClasses == 1 ? 1 : 0, row, column);
    if constexpr (kClasses == 2) task.pairs[0][1] = tables_.shifted(of_pairs, 1, row, column);
    set_singles(task, 0, nothing);
    task.first_c = column * side;
    task.end_c = (column + 1) * side;
    launch(task, first, last, 1);
  }

  template <int kClasses>
  void of_size(const Set& fixed, int first, int last, float least, const Hits& hits) {
    switch (tables_.plan().k) {
      case 3:
        return with_fixed<3, kClasses>(fixed, first, last, least, hits);
      case 4:
        return with_fixed<4, kClasses>(fixed, first, last, least, hits);
      case 5:
        return with_fixed<5, kClasses>(fixed, first, last, least, hits);
      default:
        return with_fixed<6, kClasses>(fixed, first, last, least, hits);
    }
  }

  template <int kSize, int kClasses>
  void with_fixed(const Set& fixed, int first, int last, float least, const Hits& hits) {
    const int slab = static_cast<int>(tables_.plan().slab);
    for (int at = first / slab * slab; at <= last; at += slab) {
      SiftTask<kSize, kClasses> task = common_task<kSize, kClasses>(least, hits);
      for (int i = 0; i < 3; ++i) task.f[i] = fixed[i];
      task.end_c = table_.padded();
      for (int mask = 0; mask < task.sets; ++mask) {
        const Set set = part_of(fixed, mask);
        const PairTable& of_pairs = tables_.pairs(set, 0, 0);
        const PairTable& of_triples = tables_.slab(set, at);
        task.pairs[mask][0] = of_pairs.of_class[kClasses == 1 ? 1 : 0].get();
        if constexpr (kClasses == 2) task.pairs[mask][1] = of_pairs.of_class[1].get();
        for (int c = 0; c < kClasses; ++c) task.triples[mask][c] = of_triples.of_class[c].get();
        set_singles(task, mask, set);
      }
      task.plane_a = at;
      task.first = std::max(first, at);
      task.last = std::min(last, at + slab - 1);
      launch(task, 1, task.last - 1, std::clamp(task.last - task.first + 1, 1, 64));
    }
  }

  template <int kSize, int kClasses>
  [[nodiscard]] SiftTask<kSize, kClasses> common_task(float least, const Hits& hits) const {
    SiftTask<kSize, kClasses> task{};
    task.set = table_.weights(0);
    task.clear = table_.weights(1);
    task.width = tables_.plan().side;
    task.stride = table_.padded();
    task.least = least;
    task.hits = hits;
    return task;
  }

  template <int kSize, int kClasses>
  void set_singles(SiftTask<kSize, kClasses>& task, int mask, const Set& set) {
    const Singles& of_singles = tables_.singles(set);
    task.singles[mask] = of_singles.counts.get();
    task.all[mask] = of_singles.all.get();
  }

  // For all b from `first` to `last`.
  template <int kSize, int kClasses>
  void launch(SiftTask<kSize, kClasses>& task, int first, int last, unsigned slices) {
    constexpr int most = 32768;
    for (int b = first; b <= last; b += most) {
      task.first_b = b;
      const int end = std::min(b + most - 1, last);
      const dim3 grid((std::min(end, task.end_c) - task.first_c + 127) / 128, end - b + 1, slices);
      if (grid.x == 0) continue;
      sift<kSize, kClasses><<<grid, 128, 0, tables_.stream()>>>(task);
    }
  }

  // The features of a mask.
  static Set part_of(const Set& fixed, int mask) {
    Set set = nothing;
    int at = 0;
    for (int i = 0; i < 3; ++i) {
      if ((mask >> i & 1) != 0) set[at++] = fixed[i];
    }
    return set;
  }

  // The next fixed features that have three others below them.
  void next(Set& fixed) const {
    const int count = tables_.plan().k - 3;
    for (int i = 0; i < count; ++i) {
      const int limit = i + 1 < count ? fixed[i + 1] : table_.bits().features;
      if (++fixed[i] < limit) return;
      fixed[i] = i + 3;
    }
  }

  CountTables& tables_;
  const LoadedTable& table_;
};

}  // namespace fsieve_cuda
