// Which of many pairs of columns may hold more than a limit of what is left of the label: inner
// products of columns that were rounded to whole numbers of 16 bits, twice as fast as in single
// precision, and how far off that makes them at most.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fsieve::inline methods {

// Columns side by side, and columns that they are multiplied with at a time.
constexpr std::size_t screen_panel = 32;
constexpr std::size_t screened_at_once = 4;

// Two rows in a word, the first one in its lower half; in a coarse screen four, of 8 bits each. A
// number that is divided by `unit` is off by half a unit at most in each row; squares in a coarse
// screen are rounded down.
struct RoundedColumns {
  const std::int32_t* words;  // of a panel: word by word, its columns side by side
  const float* unit;          // by column
  const float* off;  // how far inner products are off for this one's sake, in units of both
};

// A panel of columns u, `screened_at_once` columns v, and what their products are asked for. Words
// of a column v follow each other, and then those of the next.
struct PairScreenTask {
  std::size_t words;            // of a column
  std::size_t labels;           // columns of the residual
  std::size_t columns;          // v, from one label to the next in `with_label`
  RoundedColumns values;        // u; in a coarse screen 128 more than they are
  RoundedColumns squares;       // u², to bound the norm of a product from below
  RoundedColumns with_label;    // v · weight · residual
  RoundedColumns with_squares;  // v² · weight²
  const std::int32_t* more;     // in a coarse screen: what 128 times each with_label sums to
  const float* u_terms;         // what a pair holds anyway
  const float* v_terms;
};

// For each v, a bit for every u with which it may hold `least` or more.
void pairs_may_hold(const PairScreenTask& task, float least, std::uint32_t masks[screened_at_once]);

// May any pair of these? By 8 bits, at less than half the cost, where the machine has instructions
// for it.
[[nodiscard]] bool coarse_screens();
[[nodiscard]] bool any_pair_may_hold(const PairScreenTask& coarse, float least);

}  // namespace fsieve::methods
