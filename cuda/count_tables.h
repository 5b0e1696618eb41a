// Tables of counts in the memory of the GPU, made when they are asked for and kept while there is
// room: of single features, of pairs and of triples, perhaps joined to a set of other features.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cache.h"
#include "endings.cuh"
#include "loaded_table.h"
#include "memory.h"
#include "plan.h"

namespace fsieve_cuda {

using Set = std::array<int, 3>;  // features, ascending; -1: none
constexpr Set nothing{-1, -1, -1};

// Rows per class of single features, and of all, where some features are set.
struct Singles {
  Buffer<int> counts;
  Buffer<int> all;
};

// A part of a table of pairs, or tables of triples for some a: leads and rows of the first class,
// or rows of both classes.
struct PairTable {
  Buffer<int> of_class[2];
};

__global__ void singles_to_leads(const int* counts, int padded, float* leads) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j < padded) leads[j] = static_cast<float>(counts[padded + j] - counts[j]);
}

__global__ void to_floats(const int* from, int count, float* to) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j < count) to[j] = static_cast<float>(from[j]);
}

class CountTables {
 public:
  CountTables(const LoadedTable& table, const Plan& plan, int device, cudaStream_t stream)
      : table_(table),
        plan_(plan),
        stream_(stream),
        pairs_(plan.pairs),
        slabs_(plan.slabs),
        singles_(256) {
    check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device));
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, product<Store>));
    threads_ = attributes.maxThreadsPerBlock;
  }

  [[nodiscard]] const LoadedTable& table() const { return table_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_; }

  template <class Ending>
  void launch(const ProductTask& task, const Ending& ending) {
    long long turns = 0;
    for (int part = 0; part < task.items.parts && turns < groups * processors_; ++part) {
      for (int c = task.items.first_c; c < task.items.end_c; ++c)
        turns += task.items.turns(part, c);
    }
    if (turns == 0) return;
    check(cudaFuncSetAttribute(product<Ending>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               product_shared_bytes));
    const auto used = static_cast<unsigned>(std::min<long long>((turns + 1) / groups, processors_));
    product<<<used, threads_, product_shared_bytes, stream_>>>(task, ending);
  }

  [[nodiscard]] ItemRange all_items(int first, int last) const {
    ItemRange items;
    items.first = first;
    items.last = last;
    items.end_b = table_.padded() / tile;
    items.end_c = table_.padded() / tile;
    return items;
  }

  [[nodiscard]] ProductTask task_for(const std::uint32_t* outer, int first, bool turned,
                                     const ItemRange& items) const {
    const BitTable& bits = table_.bits();
    return {bits.rows,   turned ? bits.columns : bits.rows,
            outer,       std::max(first, 0) / bunch_width,
            0,           bits.padded / tile,
            bits.chunks, 0,
            bits.chunks, items};
  }

  const Singles& singles(const Set& set) {
    return singles_.get(set, [&](Singles& made) {
      made.counts.reserve(static_cast<std::size_t>(table_.padded()) * 2);
      made.all.reserve(2);
      const int threads = (table_.padded() + 1) * 32;
      count_singles<<<(threads + 127) / 128, 128, 0, stream_>>>(
          table_.bits(), {{set[0], set[1], set[2]}, -1}, made.counts.get(), made.all.get());
    });
  }

  // Leads of single features.
  const float* leads() {
    if (leads_ready_) return leads_.get();
    leads_.reserve(table_.padded());
    singles_to_leads<<<(table_.padded() + 127) / 128, 128, 0, stream_>>>(
        singles(nothing).counts.get(), table_.padded(), leads_.get());
    leads_ready_ = true;
    return leads_.get();
  }

  // Features [row_part, column_part] * side and so on; sides are whole tiles. Indexed by the
  // features themselves through shifted().
  const PairTable& pairs(const Set& set, int row_part, int column_part) {
    return pairs_.get({set, row_part, column_part}, [&](PairTable& made) {
      const std::size_t size = static_cast<std::size_t>(plan_.side) * plan_.side;
      made.of_class[0].reserve(size);
      made.of_class[1].reserve(size);
      const int tiles = plan_.side / tile;
      ItemRange items;
      items.pairs = true;
      items.first_b = row_part * tiles;
      items.end_b = std::min(items.first_b + tiles, (below(set) + tile - 1) / tile);
      items.first_c = column_part * tiles;
      items.end_c = std::min(items.first_c + tiles, table_.padded() / tile);
      const auto place = [&](int of) { return shifted(made, of, row_part, column_part); };
      store(set, 0, -1, -1, place(0), 0, items, nullptr);
      if (table_.products()) {
        store(set, 1, -1, -1, place(1), 0, items, nullptr);
      } else {
        store(set, 2, -1, -1, place(1), 0, items, first_class_singles(set));
      }
    });
  }

  // Where the table would begin if it had all features.
  [[nodiscard]] int* shifted(const PairTable& table, int of, int row_part, int column_part) const {
    const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(row_part) * plan_.side * plan_.side;
    const std::ptrdiff_t columns = static_cast<std::ptrdiff_t>(column_part) * plan_.side;
    return table.of_class[of].get() - rows - columns * (plan_.fused ? tile : 1);
  }
  [[nodiscard]] Blocks blocks(const PairTable& table, int of, int row_part, int column_part) const {
    return {reinterpret_cast<const float*>(shifted(table, of, row_part, column_part)),
            plan_.side / tile};
  }

  // Tables of triples for the `slab` values of a from `first` on, each joined to a set.
  const PairTable& slab(const Set& set, int first) {
    const PairTable& of_pairs = pairs(set, 0, 0);
    return slabs_.get({set, first}, [&](PairTable& made) {
      const std::size_t plane = static_cast<std::size_t>(plan_.side) * plan_.side;
      const int last = std::min(first + static_cast<int>(plan_.slab), below(set)) - 1;
      if (last < first) return;
      const ItemRange items = all_items(first, last);
      const bool products = table_.products();
      for (int of = 0; of < (products ? 2 : 1); ++of) {
        made.of_class[of].reserve(plane * plan_.slab);
        const int* without = products ? nullptr : of_pairs.of_class[0].get();
        store(set, products ? of : 2, first, last, made.of_class[of].get(), plane, items, without);
      }
    });
  }

  // The table of all triples.
  const PairTable& cube() {
    if (cube_ready_) return cube_;
    const std::size_t plane = static_cast<std::size_t>(plan_.side) * plan_.side;
    const PairTable& of_pairs = pairs(nothing, 0, 0);
    const int last = table_.padded() - 1;
    const ItemRange items = all_items(0, last);
    for (int of = 0; of < 2; ++of) cube_.of_class[of].reserve(plane * plan_.side);
    store(nothing, 0, 0, last, cube_.of_class[0].get(), plane, items, nullptr);
    store(nothing, 2, 0, last, cube_.of_class[1].get(), plane, items, of_pairs.of_class[0].get());
    cube_ready_ = true;
    return cube_;
  }

 private:
  struct PairKey {
    Set set;
    int row_part, column_part;
    bool operator==(const PairKey& other) const {
      return set == other.set && row_part == other.row_part && column_part == other.column_part;
    }
  };
  struct SlabKey {
    Set set;
    int first;
    bool operator==(const SlabKey& other) const { return set == other.set && first == other.first; }
  };

  // The features of subsets are below those that are fixed.
  [[nodiscard]] int below(const Set& set) const { return set[0] < 0 ? table_.padded() : set[0]; }

  // A count is what `of` says: 0, 1: the rows of a class; 2: the lead.
  void store(const Set& set, int of, int first, int last, void* out, std::size_t plane,
             const ItemRange& items, const void* without) {
    table_.outer_columns({{set[0], set[1], set[2]}, of == 2 ? -1 : of}, first, last, outer_);
    ProductTask task = task_for(outer_.get(), first, of == 2, items);
    // Only the chunks that have rows of a class.
    const std::uint64_t split = table_.bits().split;
    if (of == 0) task.end_chunk = static_cast<int>((split + 1023) / 1024);
    if (of == 1) task.first_chunk = static_cast<int>(split / 1024);
    if (task.first_chunk >= task.end_chunk) task.first_chunk = task.end_chunk - 1;
    const int planes = first < 0 ? 1 : last - first + 1;
    launch(task, Store{out, plane, plan_.side, std::max(first, 0), planes, plan_.fused, without,
                       first < 0});
  }

  // Rows of the first class, in the kind of numbers that tables have.
  const void* first_class_singles(const Set& set) {
    const int* counts = singles(set).counts.get();
    if (!plan_.fused) return counts;
    first_singles_.reserve(table_.padded());
    to_floats<<<(table_.padded() + 127) / 128, 128, 0, stream_>>>(counts, table_.padded(),
                                                                  first_singles_.get());
    return first_singles_.get();
  }

  const LoadedTable& table_;
  const Plan& plan_;
  cudaStream_t stream_;
  int processors_ = 0;
  int threads_ = 0;
  Cache<PairKey, PairTable> pairs_;
  Cache<SlabKey, PairTable> slabs_;
  Cache<Set, Singles> singles_;
  PairTable cube_;
  Buffer<float> leads_, first_singles_;
  Buffer<std::uint32_t> outer_;
  bool cube_ready_ = false;
  bool leads_ready_ = false;
};

}  // namespace fsieve_cuda
