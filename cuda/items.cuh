// The pieces of work of one launch: four outer columns with a tile of b and a tile of c, c <= b.
#pragma once

#include "bits.cuh"

namespace fsieve_cuda {

struct Item {
  int outer;  // block of four outer columns
  int b, c;   // tiles
  int part;   // which list of outer columns
};

// Subsets {c < b < a} for a from `first` to `last`, or, in several parts, {c < b < a < q} for
// `parts` values of q from `first_q` on: of the first q only a from `first` on, of the last only a
// up to `last`. Neighbouring items share their tiles and differ in a.
struct ItemRange {
  int first = 0;
  int last = 0;
  int first_q = 0;
  int parts = 1;
  bool pairs = false;  // {c < b} alone: one block of outer columns, whatever b
  int first_b = 0;     // tiles
  int end_b = 0;
  int first_c = 0;
  int end_c = 0;

  __host__ __device__ int first_outer(int part) const {
    return part == 0 ? first / outer_width : 0;
  }
  __host__ __device__ int end_outer(int part) const {
    const int most = part == parts - 1 ? last : first_q + part - 1;
    return pairs ? 1 : most / outer_width + 1;
  }
  // The first block of outer columns that has an a above the first b of a tile.
  __host__ __device__ int first_outer(int part, int b) const {
    const int above = pairs ? 0 : b * (tile / outer_width);
    const int from = first_outer(part);
    return from > above ? from : above;
  }
  __host__ __device__ long long items(int part, int b) const {
    const int tiles = (b < end_c ? b + 1 : end_c) - first_c;
    const int outer = end_outer(part) - first_outer(part, b);
    return tiles > 0 && outer > 0 ? static_cast<long long>(tiles) * outer : 0;
  }
};

// Every `stride`-th item from `first` on.
class ItemWalk {
 public:
  __device__ ItemWalk(const ItemRange& range, int first, int stride)
      : range_(range), stride_(stride), at_(first), b_(range.first_b) {
    settle();
  }

  __device__ bool done() const { return part_ == range_.parts; }
  __device__ void step() {
    at_ += stride_;
    settle();
  }
  __device__ Item item() const {
    const int first = range_.first_outer(part_, b_);
    const int width = range_.end_outer(part_) - first;
    const int at = static_cast<int>(at_ % width);
    return {first + at, b_, range_.first_c + static_cast<int>(at_ / width), part_};
  }

 private:
  __device__ void settle() {
    while (part_ < range_.parts && at_ >= range_.items(part_, b_)) {
      at_ -= range_.items(part_, b_);
      if (++b_ < range_.end_b) continue;
      b_ = range_.first_b;
      ++part_;
    }
  }

  const ItemRange& range_;
  int stride_;
  long long at_;  // within the items of a tile of b
  int part_ = 0;
  int b_;
};

}  // namespace fsieve_cuda
