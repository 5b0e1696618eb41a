// How the bits of a table lie in the memory of the GPU, and the small kernels that put them there.
//
// Rows are counted in chunks of 1024 bits, those of the first class before those of the second.
// Three copies serve three readers: `plain` (feature after feature) makes the others; `rows` and
// `columns` have tiles of 64 features, a chunk each, as a tensor core wants them in shared memory
// (groups of eight features, 128 bytes each, 16-byte pieces swapped by the feature's place in its
// group), so that a tile is one copy of 8 KiB. In `columns` the rows of the first class are turned
// round: a product with it adds the second class and takes the first away.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace fsieve_cuda {

constexpr int tile = 64;          // features of a tile
constexpr int chunk_words = 32;   // of 32 bits
constexpr int chunk_bytes = 128;  // of one feature
constexpr int tile_bytes = tile * chunk_bytes;
constexpr int outer_width = 4;  // outer features (a) that are counted together
constexpr int outer_bytes = outer_width * chunk_bytes;

struct BitTable {
  int features = 0;
  int padded = 0;  // to whole tiles; the features beyond are empty
  int chunks = 0;
  std::uint64_t split = 0;  // bits of the first class
  std::uint64_t bits = 0;   // of both
  std::uint32_t* plain = nullptr;
  std::uint8_t* rows = nullptr;
  std::uint8_t* columns = nullptr;

  __host__ __device__ int words() const { return chunks * chunk_words; }
};

// Where the word of a feature stands among the tiles.
__host__ __device__ inline std::size_t tiled_place(int padded, int feature, int word) {
  const int chunk = word / chunk_words;
  const int piece = word % chunk_words / 4;
  const int row = feature % 8;
  return (static_cast<std::size_t>(chunk) * (padded / 8) + feature / 8) * 1024 + row * chunk_bytes +
         ((piece ^ row) * 16) + word % 4 * 4;
}

// The bits of word `word` that belong to the first class.
__device__ inline std::uint32_t first_class_bits(std::uint64_t split, int word) {
  const std::uint64_t begin = static_cast<std::uint64_t>(word) * 32;
  if (begin + 32 <= split) return ~0U;
  return begin >= split ? 0U : (1U << (split - begin)) - 1;
}

// 32 bits from bit `at` on (it may be negative) of `words` words of 64 bits.
__device__ inline std::uint32_t bits_at(const std::uint64_t* from, std::int64_t words,
                                        std::int64_t at) {
  const std::int64_t word = at >= 0 ? at / 64 : -((-at + 63) / 64);
  const int shift = static_cast<int>(at - word * 64);
  const std::uint64_t low = word >= 0 && word < words ? from[word] : 0;
  const std::uint64_t high = word + 1 >= 0 && word + 1 < words ? from[word + 1] : 0;
  return static_cast<std::uint32_t>(shift == 0 ? low : low >> shift | high << (64 - shift));
}

// `given`: features [first, first + gridDim.y) as the host has them.
__global__ void pack(BitTable table, const std::uint64_t* given, std::uint64_t given_words,
                     std::uint64_t first0, std::uint64_t length0, std::uint64_t first1,
                     std::uint64_t length1, int first) {
  const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int feature = first + static_cast<int>(blockIdx.y);
  if (word >= table.words()) return;
  const std::uint64_t* column = given + blockIdx.y * given_words;
  const std::int64_t at = static_cast<std::int64_t>(word) * 32;
  std::uint32_t value = bits_at(column + first0, static_cast<std::int64_t>(length0), at);
  value |= bits_at(column + first1, static_cast<std::int64_t>(length1),
                   at - static_cast<std::int64_t>(table.split));
  const std::size_t place = tiled_place(table.padded, feature, word);
  table.plain[static_cast<std::size_t>(feature) * table.words() + word] = value;
  *reinterpret_cast<std::uint32_t*>(table.rows + place) = value;
  *reinterpret_cast<std::uint32_t*>(table.columns + place) =
      value ^ first_class_bits(table.split, word);
}

// Which rows count: those where some features are set, perhaps of one class only.
struct Together {
  int features[3] = {-1, -1, -1};
  int only = -1;  // the class
};

__device__ inline std::uint32_t together(const BitTable& table, const Together& which, int word) {
  std::uint32_t value = ~0U;
  for (const int feature : which.features) {
    if (feature >= 0)
      value &= table.plain[static_cast<std::size_t>(feature) * table.words() + word];
  }
  const std::uint32_t first = first_class_bits(table.split, word);
  if (which.only == 0) value &= first;
  if (which.only == 1) value &= ~first;
  return value;
}

// The outer features from `first` on, four to a block and four blocks to a bunch, each joined to
// `which`: per bunch and chunk, block after block, 32 words of the four. first < 0: `which` alone,
// as the first of one block. Of several lists (gridDim.z) each has the next feature in the place of
// the first of `which`.
__global__ void make_outer(BitTable table, Together which, int first, std::uint32_t* out) {
  const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (word >= table.words()) return;
  const int block = static_cast<int>(blockIdx.y);
  which.features[0] += static_cast<int>(blockIdx.z);
  // Only features below that one are asked for, in whole bunches.
  if (gridDim.z > 1 && first + block / 4 * 4 * outer_width >= which.features[0]) return;
  out += static_cast<std::size_t>(blockIdx.z) * gridDim.y * table.words() * outer_width;
  const std::uint32_t all = together(table, which, word);
  for (int i = 0; i < outer_width; ++i) {
    const int feature = first + block * outer_width + i;
    std::uint32_t value = 0;
    if (first < 0) {
      value = i == 0 ? all : 0;
    } else if (feature < table.features) {
      value = all & table.plain[static_cast<std::size_t>(feature) * table.words() + word];
    }
    const std::size_t chunk =
        static_cast<std::size_t>(block / 4) * table.chunks + word / chunk_words;
    out[((chunk * 4 + block % 4) * chunk_words + word % chunk_words) * outer_width + i] = value;
  }
}

// Rows of each class where a feature is set and `which` holds: counts[c * padded + feature], and
// without a feature in all[c]. A warp per feature, the last one for `all`.
__global__ void count_singles(BitTable table, Together which, int* counts, int* all) {
  const int feature = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (feature > table.padded) return;
  int found[2] = {0, 0};
  for (int word = static_cast<int>(threadIdx.x % 32); word < table.words(); word += 32) {
    std::uint32_t value = together(table, which, word);
    if (feature < table.padded) {
      value &= table.plain[static_cast<std::size_t>(feature) * table.words() + word];
    }
    const std::uint32_t first = first_class_bits(table.split, word);
    const std::uint64_t end = table.bits;
    const std::uint64_t begin = static_cast<std::uint64_t>(word) * 32;
    const std::uint32_t rows = begin + 32 <= end ? ~0U
                               : begin >= end    ? 0U
                                                 : (1U << (end - begin)) - 1;
    found[0] += __popc(value & first & rows);
    found[1] += __popc(value & ~first & rows);
  }
  for (int c = 0; c < 2; ++c) {
    for (int step = 16; step > 0; step /= 2) {
      found[c] += __shfl_xor_sync(0xffffffffU, found[c], step);
    }
    if (threadIdx.x % 32 != 0) continue;
    if (feature < table.padded)
      counts[static_cast<std::size_t>(c) * table.padded + feature] = found[c];
    if (feature == table.padded) all[c] = found[c];
  }
}

}  // namespace fsieve_cuda
