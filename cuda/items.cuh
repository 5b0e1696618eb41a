// The pieces of work of one launch. In a turn a group of four warps counts sixteen a (a bunch: four
// blocks of outer columns, one per warp) with sixteen b (a slice) and a tile of 64 c: small pieces
// of a and b, so that little is counted that is no subset with c < b < a.
#pragma once

#include "bits.cuh"

namespace fsieve_cuda {

constexpr int slice_width = 16;
constexpr int slices = tile / slice_width;    // of a tile
constexpr int bunch_width = 4 * outer_width;  // as wide as a slice: both are counted alike
constexpr int warps_of_group = 4;

struct Turn {
  int bunch;
  int slice;  // the first one, where each warp has its own
  int c;      // tile
  int part;   // which list of outer columns
  bool half;  // of the tile of c the first half is enough
};

// The work of one warp.
struct Item {
  int outer;  // block of outer columns
  int b, c;   // tiles
  int slice;  // of the tile of b
  int part;
  bool real;  // false: it fills up a group, to be counted and forgotten
};

// Subsets {c < b < a} for a from `first` to `last`, or, in several parts, {c < b < a < q} for
// `parts` values of q from `first_q` on: of the first q only a from `first` on, of the last only a
// up to `last`. Or {c < b} alone, with one outer column: then each warp has a slice of its own.
struct ItemRange {
  int first = 0;
  int last = 0;
  int first_q = 0;
  int parts = 1;
  bool pairs = false;
  int first_b = 0;  // tiles
  int end_b = 0;
  int first_c = 0;
  int end_c = 0;

  // Does a part have turns with this tile of c, or a later one?
  __device__ bool any_from(int part, int c) const {
    return c < end_c && (pairs || end_bunch(part) > first_slice(c));
  }
  // Turns of a part with a tile of c.
  __host__ __device__ long long turns(int part, int c) const {
    if (pairs) return slices_of(c) / slices;
    const int begin = first_bunch(part);
    const long long count =
        turns_before(end_bunch(part), c) - (begin > 0 ? turns_before(begin, c) : 0);
    return count > 0 ? count : 0;
  }
  // They go by a, then by b.
  __device__ Turn turn(int part, int c, long long number) const {
    const int first_one = first_slice(c);
    if (pairs) return {0, first_one + static_cast<int>(number) * slices, c, part, false};
    number += turns_before(first_bunch(part), c);
    const int most = slices_of(c);
    const long long growing = triangle(most);
    long long bunch = 0;
    long long at = 0;
    if (number >= growing) {
      const Quotient rest = divide(number - growing, static_cast<unsigned>(most));
      bunch = most + rest.whole;
      at = rest.left;
    } else {
      bunch = static_cast<long long>((sqrtf(8 * static_cast<float>(number) + 1) - 1) / 2);
      while (triangle(static_cast<int>(bunch)) > number) --bunch;
      while (triangle(static_cast<int>(bunch) + 1) <= number) ++bunch;
      at = number - triangle(static_cast<int>(bunch));
    }
    const int slice = first_one + static_cast<int>(at);
    return {first_one + static_cast<int>(bunch), slice, c, part,
            (slice + 1) * slice_width - 1 <= c * tile + tile / 2};
  }
  __device__ Item item(const Turn& turn, int warp) const {
    const int slice = turn.slice + (pairs ? warp : 0);
    const int outer = pairs ? 0 : turn.bunch * warps_of_group + warp;
    const bool real = pairs || (outer >= first_outer(turn.part) && outer < end_outer(turn.part));
    return {outer, slice / slices, turn.c, slice % slices, turn.part, real};
  }

 private:
  struct Quotient {
    long long whole;
    unsigned left;
  };
  // Numbers of 64 bits take long to divide, and are rare.
  __device__ static Quotient divide(long long number, unsigned by) {
    if (number >> 32 != 0) return {number / by, static_cast<unsigned>(number % by)};
    const auto small = static_cast<unsigned>(number);
    return {small / by, small % by};
  }

  __host__ __device__ int first_outer(int part) const {
    return part == 0 ? first / outer_width : 0;
  }
  __host__ __device__ int end_outer(int part) const {
    const int most = part == parts - 1 ? last : first_q + part - 1;
    return most / outer_width + 1;
  }
  __host__ __device__ int first_bunch(int part) const { return first_outer(part) / warps_of_group; }
  __host__ __device__ int end_bunch(int part) const {
    return (end_outer(part) + warps_of_group - 1) / warps_of_group;
  }
  // Slices of b that a tile of c is multiplied with.
  __host__ __device__ int first_slice(int c) const { return (c > first_b ? c : first_b) * slices; }
  __host__ __device__ int slices_of(int c) const {
    const int count = end_b * slices - first_slice(c);
    return count > 0 ? count : 0;
  }
  // Turns of the bunches below one: a bunch has an a above the first b of its own slice and of all
  // before it, as far as there are slices.
  __host__ __device__ long long turns_before(int bunch, int c) const {
    const int most = slices_of(c);
    const int bunches = bunch - first_slice(c);
    if (bunches <= 0) return 0;
    if (bunches <= most) return triangle(bunches);
    return triangle(most) + static_cast<long long>(bunches - most) * most;
  }
  // Products of 32 bits, as long as they are: the walk is on the way of everything else.
  __host__ __device__ static long long triangle(int side) {
    return (static_cast<long long>(side) * (side + 1)) >> 1;
  }
};

// Every `stride`-th turn from `first` on.
class TurnWalk {
 public:
  __device__ TurnWalk(const ItemRange& range, int first, int stride)
      : range_(range), stride_(stride), at_(first), c_(range.first_c) {
    settle();
  }

  __device__ bool done() const { return part_ == range_.parts; }
  __device__ void step() {
    at_ += stride_;
    settle();
  }
  __device__ Turn turn() const { return range_.turn(part_, c_, at_); }

 private:
  __device__ void settle() {
    while (part_ < range_.parts) {
      const long long here = range_.turns(part_, c_);
      if (at_ < here) return;
      at_ -= here;
      if (range_.any_from(part_, ++c_)) continue;
      c_ = range_.first_c;
      ++part_;
    }
  }

  const ItemRange& range_;
  int stride_;
  long long at_;  // within the turns of a tile of c
  int part_ = 0;
  int c_;
};

}  // namespace fsieve_cuda
