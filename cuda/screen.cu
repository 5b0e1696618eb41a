// libfsieve_cuda.so: what device/screen_abi.h promises, on one NVIDIA GPU.
//
// Sums of leads of pairs, triples and quadruples are bounded as soon as their counts are there
// (endings.cuh). Everything else goes through tables: the counts of {a, b, c} together with every
// subset of the features that are fixed, then a kernel that reads them (sift.cuh).
#include "device/screen_abi.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "cache.h"
#include "calls.h"
#include "endings.cuh"
#include "memory.h"
#include "sift.cuh"
#include "subsets.h"

namespace fsieve_cuda {
namespace {

constexpr std::uint64_t most_exact_rows = std::uint64_t{1} << 23U;  // of endings.cuh
constexpr std::size_t most_slab_bytes = std::size_t{2} << 30U;

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

__global__ void singles_to_leads(const int* counts, int padded, float* leads) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j < padded) leads[j] = static_cast<float>(counts[padded + j] - counts[j]);
}

class Screen {
 public:
  Screen(int device, const fsieve_screen_table& given, std::uint64_t room)
      : device_(device), k_(static_cast<int>(given.k)), room_(room) {
    const std::uint64_t rows = given.rows[0] + given.rows[1];
    if (rows >= std::uint64_t{1} << 31U) throw Failure("it counts fewer than 2^31 rows");
    if (given.features > std::uint64_t{1} << 24U) throw Failure("it takes at most 2^24 features");
    products_ = given.sum == fsieve_sum_of_products;
    fused_ = !products_ && rows < most_exact_rows && (k_ == 3 || k_ == 4);
    rows_[0] = static_cast<int>(given.rows[0]);
    rows_[1] = static_cast<int>(given.rows[1]);
    load(given);
    plan();
  }

  void begin(std::uint64_t first, std::uint64_t end, float least) {
    check(cudaMemsetAsync(list_.get(), 0, list_head, stream_.get()));
    if (first >= end) return;
    least_ = least;
    const std::vector<int> from = subset_of(first, k_);
    const std::vector<int> to = subset_of(end - 1, k_);
    if (k_ == 2) {
      screen_pairs(from[1], to[1]);
    } else if (fused_ && k_ == 3) {
      screen_triples(from[2], to[2]);
    } else if (fused_) {
      screen_quadruples(from, to);
    } else {
      screen_any(from, to);
    }
    check(cudaGetLastError());
  }

  std::int64_t end(std::uint32_t* found, float* sums) {
    // Most often few were found: they come with their number.
    check(cudaMemcpyAsync(first_.get(), list_.get(), first_bytes(), cudaMemcpyDeviceToHost,
                          stream_.get()));
    check(cudaStreamSynchronize(stream_.get()));
    const auto count = *reinterpret_cast<const unsigned long long*>(first_.get());
    const std::size_t written = std::min<unsigned long long>(count, room_);
    const std::size_t bytes = written * record_words() * 4;
    std::vector<std::uint32_t> rest;
    const auto* records = reinterpret_cast<const std::uint32_t*>(first_.get() + list_head);
    if (bytes > first_records * record_words() * 4) {
      rest.resize(written * record_words());
      check(cudaMemcpy(rest.data(), list_.get() + list_head, bytes, cudaMemcpyDeviceToHost));
      records = rest.data();
    }
    for (std::size_t i = 0; i < written; ++i, records += record_words()) {
      std::copy_n(records, k_, found + i * k_);
      if (sums != nullptr) std::memcpy(sums + i, records + k_, sizeof(float));
    }
    return static_cast<std::int64_t>(count);
  }

  [[nodiscard]] int device() const { return device_; }

 private:
  // The list in memory: how many there are, then k features and a sum each.
  static constexpr std::size_t list_head = 16;
  static constexpr std::size_t first_records = 256;
  [[nodiscard]] std::size_t record_words() const { return static_cast<std::size_t>(k_) + 1; }
  [[nodiscard]] std::size_t first_bytes() const {
    return list_head + std::min<std::size_t>(first_records, room_) * record_words() * 4;
  }
  [[nodiscard]] Hits hits() const {
    return {reinterpret_cast<unsigned long long*>(list_.get()), room_,
            reinterpret_cast<std::uint32_t*>(list_.get() + list_head)};
  }

  void load(const fsieve_screen_table& given) {
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
    list_.reserve(list_head + room_ * record_words() * 4);
    first_.reserve(first_bytes());
    // Some features at a time: the host's copy need not fit a second time.
    const std::size_t step =
        std::clamp<std::size_t>((std::size_t{256} << 20U) / (given.words * 8), 1, 32768);
    Buffer<std::uint64_t> part;
    part.reserve(step * given.words);
    check(cudaMemsetAsync(table_.plain, 0, words * 4, stream_.get()));
    for (std::size_t first = 0; first < static_cast<std::size_t>(table_.padded); first += step) {
      const std::size_t end = std::min<std::size_t>(first + step, table_.padded);
      const std::size_t real = std::min<std::size_t>(end, given.features);
      check(cudaMemsetAsync(part.get(), 0, step * given.words * 8, stream_.get()));
      if (real > first) {
        check(cudaMemcpyAsync(part.get(), given.bits + first * given.words,
                              (real - first) * given.words * 8, cudaMemcpyHostToDevice,
                              stream_.get()));
      }
      const dim3 grid((table_.words() + 127) / 128, static_cast<unsigned>(end - first));
      pack<<<grid, 128, 0, stream_.get()>>>(table_, part.get(), given.words, given.first[0],
                                            given.length[0], given.first[1], given.length[1],
                                            static_cast<int>(first));
    }
    if (products_) {
      weights_[0].reserve(table_.padded);
      weights_[1].reserve(table_.padded);
      const std::size_t bytes = given.features * sizeof(float);
      check(cudaMemcpyAsync(weights_[0].get(), given.set, bytes, cudaMemcpyHostToDevice,
                            stream_.get()));
      check(cudaMemcpyAsync(weights_[1].get(), given.clear, bytes, cudaMemcpyHostToDevice,
                            stream_.get()));
    }
    check(cudaStreamSynchronize(stream_.get()));
  }

  // How large tables may be.
  void plan() {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device_));
    processors_ = properties.multiProcessorCount;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, product<Store>));
    threads_ = attributes.maxThreadsPerBlock;
    allow_shared(product<Store>);
    allow_shared(product<ScreenTriples>);
    allow_shared(product<ScreenQuadruples>);
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const std::size_t usable = std::min(free / 10 * 8, most_memory());
    const std::size_t sets = std::size_t{1} << std::max(k_ - 3, 0);
    const auto square = [](std::size_t side) { return side * side * sizeof(int); };
    side_ = table_.padded;
    std::size_t pair_tables = sets;
    if (k_ <= 3 && (fused_ || k_ == 2)) {
      // Tables of pairs that do not fit are made in parts; three are needed at a time.
      if (2 * square(side_) > usable) pair_tables = 3;
      while (pair_tables * 2 * square(side_) > usable && side_ > tile) side_ -= tile;
    }
    if (pair_tables * 2 * square(side_) > usable) too_small(pair_tables * 2 * square(side_));
    const std::size_t left = usable - pair_tables * 2 * square(side_);
    if (fused_ && k_ == 4) {
      const std::size_t cube = square(side_) * side_;
      cubes_ = 2 * cube <= left / 2;
      fused_ = cubes_;
    }
    std::size_t slabs = 1;
    if (k_ > 2 && !fused_) {
      // One table of triples per set of fixed features; more are kept where there is room.
      const std::size_t classes = products_ ? 2 : 1;
      slab_ =
          std::clamp<std::size_t>(std::min(most_slab_bytes, left / 2 / sets / classes) /
                                      square(side_) / bunch_width * bunch_width,
                                  0, (table_.padded + bunch_width - 1) / bunch_width * bunch_width);
      if (slab_ == 0) too_small(2 * sets * classes * bunch_width * square(side_));
      slabs = std::max<std::size_t>(left / 2 / (slab_ * classes * square(side_)), sets);
    }
    // More of them than needed at once, as far as they fit.
    const std::size_t more = left / 4 / (2 * square(side_));
    pair_cache_ =
        std::make_unique<Cache<PairKey, PairTable>>(pair_tables + std::min<std::size_t>(more, 64));
    slab_cache_ = std::make_unique<Cache<SlabKey, PairTable>>(std::min<std::size_t>(slabs, 256));
    single_cache_ = std::make_unique<Cache<Set, Singles>>(256);
  }

  [[noreturn]] static void too_small(std::size_t bytes) {
    throw Failure("its memory is too small, about " + std::to_string(bytes >> 20U) +
                  " MiB of tables are needed");
  }

  template <class Kernel>
  static void allow_shared(Kernel kernel) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               product_shared_bytes));
  }

  template <class Ending>
  void launch(const ProductTask& task, const Ending& ending) {
    long long turns = 0;
    for (int part = 0; part < task.items.parts && turns < groups * processors_; ++part) {
      for (int c = task.items.first_c; c < task.items.end_c; ++c)
        turns += task.items.turns(part, c);
    }
    if (turns == 0) return;
    const auto used = static_cast<unsigned>(std::min<long long>((turns + 1) / groups, processors_));
    product<<<used, threads_, product_shared_bytes, stream_.get()>>>(task, ending);
  }

  [[nodiscard]] ItemRange all_items(int first, int last) const {
    ItemRange items;
    items.first = first;
    items.last = last;
    items.end_b = table_.padded / tile;
    items.end_c = table_.padded / tile;
    return items;
  }

  // The outer columns from `first` (where a bunch begins; below 0: none but `which` itself) to
  // `last`, in whole bunches.
  // In several parts each has the next feature in the place of the first of `which`.
  void outer_columns(const Together& which, int first, int last, Buffer<std::uint32_t>& out,
                     int parts = 1) {
    constexpr int most = 32768;  // that a grid takes, and more
    const int blocks = first < 0 ? warps_of_group
                                 : (last / bunch_width - first / bunch_width + 1) * warps_of_group;
    const std::size_t words = static_cast<std::size_t>(table_.words()) * outer_width;
    out.reserve(words * blocks * parts);
    for (int block = 0; block < blocks; block += most) {
      const dim3 grid((table_.words() + 127) / 128, std::min(most, blocks - block), parts);
      make_outer<<<grid, 128, 0, stream_.get()>>>(table_, which, first + block * outer_width,
                                                  out.get() + words * block);
    }
  }

  [[nodiscard]] ProductTask task_for(const std::uint32_t* outer, int first, bool turned,
                                     const ItemRange& items) const {
    return {table_.rows,
            turned ? table_.columns : table_.rows,
            outer,
            std::max(first, 0) / bunch_width,
            0,
            table_.padded / tile,
            table_.chunks,
            0,
            table_.chunks,
            items};
  }

  // Only the chunks that have rows of a class.
  void limit_to_class(ProductTask& task, int of_class) const {
    if (of_class == 0) task.end_chunk = static_cast<int>((table_.split + 1023) / 1024);
    if (of_class == 1) task.first_chunk = static_cast<int>(table_.split / 1024);
  }

  const Singles& singles(const Set& set) {
    return single_cache_->get(set, [&](Singles& made) {
      made.counts.reserve(static_cast<std::size_t>(table_.padded) * 2);
      made.all.reserve(2);
      const int threads = (table_.padded + 1) * 32;
      count_singles<<<(threads + 127) / 128, 128, 0, stream_.get()>>>(
          table_, {{set[0], set[1], set[2]}, -1}, made.counts.get(), made.all.get());
    });
  }

  // A count is what `of` says: 0, 1: the rows of a class; 2: the lead.
  void store(const Set& set, int of, int first, int last, void* out, std::size_t plane,
             const ItemRange& items, const void* without) {
    outer_columns({{set[0], set[1], set[2]}, of == 2 ? -1 : of}, first, last, outer_);
    ProductTask task = task_for(outer_.get(), first, of == 2, items);
    limit_to_class(task, of);
    if (task.first_chunk >= task.end_chunk) task.first_chunk = task.end_chunk - 1;
    const int planes = first < 0 ? 1 : last - first + 1;
    launch(task, Store{out, plane, side_, std::max(first, 0), planes, fused_, without, first < 0});
  }

  // The features of subsets are below those that are fixed.
  [[nodiscard]] int below(const Set& set) const { return set[0] < 0 ? table_.padded : set[0]; }
  [[nodiscard]] int tiles_below(const Set& set) const { return (below(set) + tile - 1) / tile; }

  // Features [row_part, column_part] * side_ and so on; sides are whole tiles. Indexed by the
  // features themselves through shifted().
  const PairTable& pairs(const Set& set, int row_part, int column_part) {
    return pair_cache_->get({set, row_part, column_part}, [&](PairTable& made) {
      const std::size_t size = static_cast<std::size_t>(side_) * side_;
      made.of_class[0].reserve(size);
      made.of_class[1].reserve(size);
      ItemRange items;
      items.pairs = true;
      items.first_b = row_part * (side_ / tile);
      items.end_b = std::min(items.first_b + side_ / tile, tiles_below(set));
      items.first_c = column_part * (side_ / tile);
      items.end_c = std::min(items.first_c + side_ / tile, table_.padded / tile);
      const auto place = [&](int of) { return shifted(made, of, row_part, column_part); };
      store(set, 0, -1, -1, place(0), 0, items, nullptr);
      if (products_) {
        store(set, 1, -1, -1, place(1), 0, items, nullptr);
      } else {
        store(set, 2, -1, -1, place(1), 0, items, first_class_singles(set));
      }
    });
  }

  // Rows of the first class, in the kind of numbers that tables have.
  const void* first_class_singles(const Set& set) {
    const int* counts = singles(set).counts.get();
    if (!fused_) return counts;
    first_singles_.reserve(table_.padded);
    ints_to_floats(counts, table_.padded, first_singles_.get());
    return first_singles_.get();
  }

  void ints_to_floats(const int* from, int count, float* to);

  // Where the table would begin if it had all features.
  [[nodiscard]] int* shifted(const PairTable& table, int of, int row_part, int column_part) const {
    const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(row_part) * side_ * side_;
    const std::ptrdiff_t columns = static_cast<std::ptrdiff_t>(column_part) * side_;
    return table.of_class[of].get() - rows - columns * (fused_ ? tile : 1);
  }
  [[nodiscard]] Blocks blocks(const PairTable& table, int of, int row_part, int column_part) const {
    return {reinterpret_cast<const float*>(shifted(table, of, row_part, column_part)),
            side_ / tile};
  }

  // Tables of triples for the slab_ values of a from `first` on, each joined to a set.
  const PairTable& slab(const Set& set, int first) {
    const PairTable& of_pairs = pairs(set, 0, 0);
    return slab_cache_->get({set, first}, [&](PairTable& made) {
      const std::size_t plane = static_cast<std::size_t>(side_) * side_;
      const int last = std::min(first + static_cast<int>(slab_), below(set)) - 1;
      if (last < first) return;
      const ItemRange items = all_items(first, last);
      for (int of = 0; of < (products_ ? 2 : 1); ++of) {
        made.of_class[of].reserve(plane * slab_);
        const int* without = products_ ? nullptr : of_pairs.of_class[0].get();
        store(set, products_ ? of : 2, first, last, made.of_class[of].get(), plane, items, without);
      }
    });
  }

  void single_leads() {
    if (leads_ready_) return;
    leads_.reserve(table_.padded);
    singles_to_leads<<<(table_.padded + 127) / 128, 128, 0, stream_.get()>>>(
        singles(nothing).counts.get(), table_.padded, leads_.get());
    leads_ready_ = true;
  }

  void screen_triples(int first, int last) {
    single_leads();
    if (!all_outer_ready_) outer_columns({}, 0, table_.padded - 1, all_outer_);
    all_outer_ready_ = true;
    const int tiles = side_ / tile;
    for (int a = first / side_; a <= last / side_; ++a) {
      for (int b = 0; b <= a; ++b) {
        for (int c = 0; c <= b; ++c) {
          const PairTable& bc = pairs(nothing, b, c);
          const PairTable& ac = pairs(nothing, a, c);
          const PairTable& ab = pairs(nothing, a, b);
          ItemRange items;
          items.first = std::max(first, a * side_);
          items.last = std::min(last, (a + 1) * side_ - 1);
          items.first_b = b * tiles;
          items.end_b = std::min((b + 1) * tiles, table_.padded / tile);
          items.first_c = c * tiles;
          items.end_c = std::min((c + 1) * tiles, table_.padded / tile);
          const ScreenTriples ending{blocks(bc, 1, b, c),
                                     blocks(ab, 1, a, b),
                                     blocks(ac, 1, a, c),
                                     blocks(ab, 0, a, b),
                                     leads_.get(),
                                     static_cast<float>(rows_[1] - rows_[0]),
                                     items.first,
                                     items.last,
                                     least_,
                                     hits()};
          launch(task_for(all_outer_.get(), 0, true, items), ending);
        }
      }
    }
  }

  void make_cubes() {
    if (cubes_ready_) return;
    const std::size_t plane = static_cast<std::size_t>(side_) * side_;
    const PairTable& of_pairs = pairs(nothing, 0, 0);
    const ItemRange items = all_items(0, table_.padded - 1);
    for (int of = 0; of < 2; ++of) cube_.of_class[of].reserve(plane * side_);
    store(nothing, 0, 0, table_.padded - 1, cube_.of_class[0].get(), plane, items, nullptr);
    store(nothing, 2, 0, table_.padded - 1, cube_.of_class[1].get(), plane, items,
          of_pairs.of_class[0].get());
    cubes_ready_ = true;
  }

  void screen_quadruples(const std::vector<int>& from, const std::vector<int>& to) {
    single_leads();
    make_cubes();
    const PairTable& of_pairs = pairs(nothing, 0, 0);
    const std::size_t words =
        static_cast<std::size_t>(to[3] / bunch_width + 1) * table_.chunks * (bunch_bytes / 4);
    const int most =
        static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 29U) / (words * 4), 1, 1024));
    for (int q = from[3]; q <= to[3]; q += most) {
      ItemRange items = all_items(q == from[3] ? from[2] : 2, 0);
      items.first_q = q;
      items.parts = std::min(most, to[3] - q + 1);
      const int last_q = q + items.parts - 1;
      items.last = last_q == to[3] ? to[2] : last_q - 1;
      outer_columns({{q, -1, -1}, -1}, 0, to[3], outer_, items.parts);
      ProductTask task = task_for(outer_.get(), 0, true, items);
      task.part_stride = words;
      const auto floats = [](const Buffer<int>& buffer) {
        return reinterpret_cast<const float*>(buffer.get());
      };
      launch(task, ScreenQuadruples{floats(cube_.of_class[1]), floats(cube_.of_class[0]),
                                    blocks(of_pairs, 1, 0, 0), leads_.get(),
                                    static_cast<float>(rows_[1] - rows_[0]), q, last_q, items.first,
                                    items.last, least_, hits()});
    }
  }

  template <int kSize, int kClasses>
  SiftTask<kSize, kClasses> sift_task(const Set& fixed) {
    SiftTask<kSize, kClasses> task{};
    for (int mask = 0; mask < task.sets; ++mask) {
      const Set set = part_of(fixed, mask);
      const PairTable& of_pairs = pairs(set, 0, 0);
      task.pairs[mask][0] = of_pairs.of_class[kClasses == 1 ? 1 : 0].get();
      if constexpr (kClasses == 2) task.pairs[mask][1] = of_pairs.of_class[1].get();
      const Singles& of_singles = singles(set);
      task.singles[mask] = of_singles.counts.get();
      task.all[mask] = of_singles.all.get();
    }
    for (int i = 0; i < 3; ++i) task.f[i] = fixed[i];
    task.set = weights_[0].get();
    task.clear = weights_[1].get();
    task.width = side_;
    task.stride = table_.padded;
    task.end_c = table_.padded;
    task.least = least_;
    task.hits = hits();
    return task;
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

  template <int kSize, int kClasses>
  void sift_fixed(const Set& fixed, int first, int last) {
    for (int at = first / static_cast<int>(slab_) * static_cast<int>(slab_); at <= last;
         at += static_cast<int>(slab_)) {
      SiftTask<kSize, kClasses> task = sift_task<kSize, kClasses>(fixed);
      for (int mask = 0; mask < task.sets; ++mask) {
        const PairTable& of_triples = slab(part_of(fixed, mask), at);
        for (int c = 0; c < kClasses; ++c) task.triples[mask][c] = of_triples.of_class[c].get();
      }
      task.plane_a = at;
      task.first = std::max(first, at);
      task.last = std::min(last, at + static_cast<int>(slab_) - 1);
      const unsigned slices = std::clamp(task.last - task.first + 1, 1, 64);
      launch_sift(task, 1, task.last - 1, slices);
    }
  }

  // For all b from `first` to `last`.
  template <int kSize, int kClasses>
  void launch_sift(SiftTask<kSize, kClasses>& task, int first, int last, unsigned slices) {
    constexpr int most = 32768;
    for (int b = first; b <= last; b += most) {
      task.first_b = b;
      const int end = std::min(b + most - 1, last);
      const dim3 grid((std::min(end, task.end_c) - task.first_c + 127) / 128, end - b + 1, slices);
      if (grid.x == 0) continue;
      sift<kSize, kClasses><<<grid, 128, 0, stream_.get()>>>(task);
    }
  }

  // Tables of pairs are all that pairs need.
  void screen_pairs(int first, int last) {
    for (int row = first / side_; row <= last / side_; ++row) {
      for (int column = 0; column <= row; ++column) {
        const int from = std::max(first, row * side_);
        const int to = std::min(last, (row + 1) * side_ - 1);
        if (products_) {
          screen_pair_part<2>(row, column, from, to);
        } else {
          screen_pair_part<1>(row, column, from, to);
        }
      }
    }
  }

  template <int kClasses>
  void screen_pair_part(int row, int column, int first, int last) {
    SiftTask<2, kClasses> task{};
    const PairTable& table = pairs(nothing, row, column);
    task.pairs[0][0] = shifted(table, kClasses == 1 ? 1 : 0, row, column);
    if constexpr (kClasses == 2) task.pairs[0][1] = shifted(table, 1, row, column);
    const Singles& of_singles = singles(nothing);
    task.singles[0] = of_singles.counts.get();
    task.all[0] = of_singles.all.get();
    task.set = weights_[0].get();
    task.clear = weights_[1].get();
    task.width = side_;
    task.stride = table_.padded;
    task.first_c = column * side_;
    task.end_c = (column + 1) * side_;
    task.least = least_;
    task.hits = hits();
    launch_sift(task, first, last, 1);
  }

  void screen_any(const std::vector<int>& from, const std::vector<int>& to) {
    Set fixed = nothing;
    Set end = nothing;
    for (int i = 3; i < k_; ++i) {
      fixed[i - 3] = from[i];
      end[i - 3] = to[i];
    }
    int first = from[2];
    for (;;) {
      const bool final_one = fixed == end;
      const int below = k_ > 3 ? fixed[0] : table_.features;
      sift_with(fixed, first, final_one ? to[2] : below - 1);
      if (final_one) return;
      next(fixed);
      first = 2;
    }
  }

  // The next fixed features that have three others below them.
  void next(Set& fixed) const {
    const int count = k_ - 3;
    for (int i = 0; i < count; ++i) {
      const int limit = i + 1 < count ? fixed[i + 1] : table_.features;
      if (++fixed[i] < limit) return;
      fixed[i] = i + 3;
    }
  }

  void sift_with(const Set& fixed, int first, int last) {
    if (products_) return sift_of<2>(fixed, first, last);
    sift_of<1>(fixed, first, last);
  }

  template <int kClasses>
  void sift_of(const Set& fixed, int first, int last) {
    if (k_ == 3) return sift_fixed<3, kClasses>(fixed, first, last);
    if (k_ == 4) return sift_fixed<4, kClasses>(fixed, first, last);
    if (k_ == 5) return sift_fixed<5, kClasses>(fixed, first, last);
    sift_fixed<6, kClasses>(fixed, first, last);
  }

  int device_;
  int k_;
  std::uint64_t room_;
  bool products_ = false;
  bool fused_ = false;  // bounded where the counts are; tables are of floats then
  bool cubes_ = false;
  bool cubes_ready_ = false;
  bool leads_ready_ = false;
  bool all_outer_ready_ = false;
  int rows_[2] = {0, 0};
  int processors_ = 0;
  int threads_ = 0;
  int side_ = 0;          // features of a table of pairs
  std::size_t slab_ = 0;  // tables of triples that are made together
  float least_ = 0;
  Stream stream_;
  BitTable table_;
  Buffer<std::uint32_t> plain_, outer_, all_outer_;
  Buffer<std::uint8_t> tiles_[2], list_;
  PinnedBuffer first_;
  Buffer<float> leads_, first_singles_, weights_[2];
  PairTable cube_;
  std::unique_ptr<Cache<PairKey, PairTable>> pair_cache_;
  std::unique_ptr<Cache<SlabKey, PairTable>> slab_cache_;
  std::unique_ptr<Cache<Set, Singles>> single_cache_;
};

__global__ void to_floats(const int* from, int count, float* to) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j < count) to[j] = static_cast<float>(from[j]);
}

void Screen::ints_to_floats(const int* from, int count, float* to) {
  to_floats<<<(count + 127) / 128, 128, 0, stream_.get()>>>(from, count, to);
}

}  // namespace
}  // namespace fsieve_cuda

#pragma GCC visibility push(default)
extern "C" {

int fsieve_screen_version(void) { return FSIEVE_SCREEN_VERSION; }

int fsieve_screen_devices(char* message, size_t size) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  const char* why = cudaGetErrorString(status);
  if (status == cudaSuccess) why = "there is no GPU";
  if (status == cudaErrorInsufficientDriver) why = "there is no driver, or it is too old";
  fsieve_cuda::say(message, size, why);
  return -1;
}

void* fsieve_screen_open(int device, const struct fsieve_screen_table* table, uint64_t room,
                         char* message, size_t size) {
  return fsieve_cuda::guarded<void*>(nullptr, message, size, [&]() -> void* {
    fsieve_cuda::take_device(device);
    return new fsieve_cuda::Screen(device, *table, room);
  });
}

void fsieve_screen_close(void* screen) {
  auto* me = static_cast<fsieve_cuda::Screen*>(screen);
  cudaSetDevice(me->device());
  cudaDeviceSynchronize();
  delete me;
}

int fsieve_screen_begin(void* screen, uint64_t first, uint64_t end, float least, char* message,
                        size_t size) {
  auto* me = static_cast<fsieve_cuda::Screen*>(screen);
  return fsieve_cuda::guarded<int>(-1, message, size, [&] {
    fsieve_cuda::check(cudaSetDevice(me->device()));
    me->begin(first, end, least);
    return 0;
  });
}

int64_t fsieve_screen_end(void* screen, uint32_t* found, float* sums, char* message, size_t size) {
  auto* me = static_cast<fsieve_cuda::Screen*>(screen);
  return fsieve_cuda::guarded<int64_t>(-1, message, size, [&] {
    fsieve_cuda::check(cudaSetDevice(me->device()));
    return me->end(found, sums);
  });
}

}  // extern "C"
#pragma GCC visibility pop
