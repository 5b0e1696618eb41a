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

  // Of several parts, the turns of a bunch with a tile of c: they go by b, then by q.
  __device__ unsigned turns_of_bunch(int bunch, int c) const {
    const int below = bunch - first_slice(c) + 1;
    const int most = slices_of(c);
    return static_cast<unsigned>((below < most ? below : most) * parts_of(bunch).count);
  }
  __device__ Turn turn_of_bunch(int bunch, int c, unsigned number) const {
    const Parts with = parts_of(bunch);
    const unsigned at = number / static_cast<unsigned>(with.count);
    const unsigned part = number - at * static_cast<unsigned>(with.count);
    const int slice = first_slice(c) + static_cast<int>(at);
    return {bunch, slice, c, with.first + static_cast<int>(part), half_enough(slice, c)};
  }
  // The bunches of several parts with a tile of c.
  __device__ int begin_of_bunches(int c) const { return first_slice(c); }
  __device__ int end_of_bunches() const {
    const int last_one = end_bunch(parts - 1);
    const int before = end_bunch(parts - 2);
    return last_one > before ? last_one : before;
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
    return {first_one + static_cast<int>(bunch), slice, c, part, half_enough(slice, c)};
  }
  __device__ Item item(const Turn& turn, int warp) const {
    const int slice = turn.slice + (pairs ? warp : 0);
    const int outer = pairs ? 0 : turn.bunch * warps_of_group + warp;
    const bool real = pairs || (outer >= first_outer(turn.part) && outer < end_outer(turn.part));
    return {outer, slice / slices, turn.c, slice % slices, turn.part, real};
  }

 private:
  // No b of the slice is above a c of the second half of the tile.
  __device__ static bool half_enough(int slice, int c) {
    return (slice + 1) * slice_width - 1 <= c * tile + tile / 2;
  }

  // The parts that have an a of a bunch: those of q above one of them, which come after each other.
  struct Parts {
    int first, count;
  };
  __device__ Parts parts_of(int bunch) const {
    const int above = bunch * bunch_width + 1 - first_q;
    const int begin = bunch >= first_bunch(0) ? 0 : 1;
    const int from = above > begin ? above : begin;
    const int to = bunch < end_bunch(parts - 1) ? parts : parts - 1;
    return {from, to > from ? to - from : 0};
  }

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

// Every `stride`-th turn from `first` on. Those of several parts go by c, bunch and b, so that a
// step passes few boundaries: parts are short, and to walk from one to the next takes as long as to
// multiply.
class TurnWalk {
 public:
  __device__ TurnWalk(const ItemRange& range, int first, int stride)
      : range_(range),
        stride_(stride),
        at_(first),
        c_(range.first_c),
        bunch_(range.begin_of_bunches(c_)),
        end_bunch_(range.parts > 1 ? range.end_of_bunches() : 0) {
    settle();
  }

  __device__ bool done() const { return c_ >= range_.end_c; }
  __device__ void step() {
    at_ += stride_;
    settle();
  }
  __device__ Turn turn() const {
    if (range_.parts > 1) return range_.turn_of_bunch(bunch_, c_, static_cast<unsigned>(at_));
    return range_.turn(0, c_, at_);
  }

 private:
  __device__ void settle() {
    while (!done()) {
      if (range_.parts > 1) {
        while (bunch_ < end_bunch_) {
          const unsigned here = range_.turns_of_bunch(bunch_, c_);
          if (at_ < here) return;
          at_ -= here;
          ++bunch_;
        }
        bunch_ = range_.begin_of_bunches(++c_);
        continue;
      }
      const long long here = range_.turns(0, c_);
      if (at_ < here) return;
      at_ -= here;
      ++c_;
    }
  }

  const ItemRange& range_;
  int stride_;
  long long at_;  // within the turns of a tile of c, or of a bunch with it
  int c_;
  int bunch_;  // of several parts
  int end_bunch_;
};

}  // namespace fsieve_cuda
