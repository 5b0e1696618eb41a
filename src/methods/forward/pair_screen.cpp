#include "methods/forward/pair_screen.h"

#include <tbb/concurrent_vector.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "base/stop.h"
#include "methods/forward/pair_screen_kernel.h"

namespace fsieve::inline methods {
namespace {

// Norm of a rounded column: the product of two, and all sums on the way to it, fit 31 bits, with
// what rounding may add to each (half the root of the rows).
constexpr double most_norm = 45'000;
constexpr double most_number = 32'767;

// Of pairs looked at, those that may pass before other ways are quicker; and so many anyway, since
// at first nothing is known.
constexpr std::size_t one_of = 8;
constexpr std::size_t at_first = 4096;

// Sums and the largest number of a column, in lanes that a compiler can put side by side.
struct Sizes {
  double squares = 0;
  double sum = 0;  // without signs
  double largest = 0;
};

Sizes sizes_of(const std::vector<double>& column) {
  constexpr std::size_t lanes = 8;
  double squares[lanes] = {};
  double sums[lanes] = {};
  double largest[lanes] = {};
  const auto add = [&](std::size_t lane, double value) {
    const double size = std::abs(value);
    squares[lane] += value * value;
    sums[lane] += size;
    largest[lane] = largest[lane] < size ? size : largest[lane];
  };
  std::size_t i = 0;
  for (; i + lanes <= column.size(); i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) add(l, column[i + l]);
  }
  for (; i < column.size(); ++i) add(0, column[i]);
  Sizes sizes;
  for (std::size_t l = 0; l < lanes; ++l) {
    sizes.squares += squares[l];
    sizes.sum += sums[l];
    sizes.largest = std::max(sizes.largest, largest[l]);
  }
  return sizes;
}

// Rounds a column to words that lie `stride` apart. `off`: half a unit in each row of the other
// factor, which is the sum of this one's numbers, and its own share of what both do together.
void round_column(const std::vector<double>& column, std::size_t stride, std::int32_t* words,
                  float& unit, float& off) {
  const Sizes sizes = sizes_of(column);
  const std::size_t rows = column.size();
  if (!(sizes.squares > 0)) {
    for (std::size_t w = 0; 2 * w < rows; ++w) words[w * stride] = 0;
    unit = off = 0;
    return;
  }
  const double scale = std::min(most_norm / std::sqrt(sizes.squares), most_number / sizes.largest);
  // A number that is added to this has its nearest whole number in the lowest bits.
  constexpr double whole = 6755399441055744.0;  // 1.5 · 2⁵²
  const auto rounded = [&](std::size_t row) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(column[row] * scale + whole)) &
           0xFFFFU;
  };
  for (std::size_t w = 0; w < rows / 2; ++w) {
    words[w * stride] = static_cast<std::int32_t>(rounded(2 * w) | rounded(2 * w + 1) << 16U);
  }
  if (rows % 2 == 1) words[rows / 2 * stride] = static_cast<std::int32_t>(rounded(rows - 1));
  unit = static_cast<float>(1 / scale);
  // Rounded numbers sum to half a unit more in each row; a thousandth more, and some hundred units,
  // for sums of 31 bits in single precision.
  off =
      static_cast<float>((sizes.sum * scale / 2 + static_cast<double>(rows) * 3 / 8) * 1.001 + 200);
}

}  // namespace

bool PairScreen::pays(std::size_t rows, std::size_t columns, std::size_t labels) {
  constexpr std::size_t most_rows = std::size_t{1} << 20U;  // more would not fit the sums
  constexpr std::size_t most_values = std::size_t{1} << 20U;
  return rows <= most_rows && rows * labels <= most_values && columns * columns > 4 * at_first;
}

void PairScreen::Columns::resize(std::size_t columns, std::size_t words_of_each) {
  words.resize(columns * words_of_each);
  unit.assign(columns, 0);
  off.assign(columns, 0);
}

PairScreen::PairScreen(std::size_t rows, const double* values, const std::vector<double>& terms,
                       const std::vector<double>& weight, const std::vector<double>& residual)
    : rows_(rows),
      words_((rows + 1) / 2),
      count_(terms.size()),
      labels_(residual.size() / rows),
      values_(values),
      weight_(weight),
      residual_(residual) {
  const std::size_t panels = (count_ + screen_panel - 1) / screen_panel;
  // What fills up the last panel never passes.
  terms_.assign(panels * screen_panel, -std::numeric_limits<float>::infinity());
  std::copy(terms.begin(), terms.end(), terms_.begin());
  plain_.resize(panels * screen_panel, words_);
  squares_.resize(panels * screen_panel, words_);
  in_parallel(panels, [&](std::size_t p) { round_panel(p * screen_panel); });
}

void PairScreen::round_panel(std::size_t first) {
  std::vector<double> column(rows_);
  for (std::size_t c = first; c < std::min(first + screen_panel, count_); ++c) {
    const std::size_t at = first * words_ + (c - first);
    std::copy_n(values_ + c * rows_, rows_, column.data());
    round_column(column, screen_panel, plain_.words.data() + at, plain_.unit[c], plain_.off[c]);
    for (double& value : column) value *= value;
    round_column(column, screen_panel, squares_.words.data() + at, squares_.unit[c],
                 squares_.off[c]);
  }
}

// The same columns, times the weight and what is left of the label.
void PairScreen::round_others(std::size_t first, Scratch& s) const {
  s.with_label.resize(labels_ * screen_panel, words_);
  s.with_squares.resize(screen_panel, words_);
  s.product.resize(rows_);
  for (std::size_t k = 0; k < screen_panel; ++k) {
    // What fills up the last panel is some column or other: its pairs are never looked at.
    const double* column = values_ + std::min(first + k, count_ - 1) * rows_;
    for (std::size_t y = 0; y < labels_; ++y) {
      const double* label = residual_.data() + y * rows_;
      for (std::size_t i = 0; i < rows_; ++i) s.product[i] = column[i] * weight_[i] * label[i];
      const std::size_t at = y * screen_panel + k;
      round_column(s.product, 1, s.with_label.words.data() + at * words_, s.with_label.unit[at],
                   s.with_label.off[at]);
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      const double value = column[i] * weight_[i];
      s.product[i] = value * value;
    }
    round_column(s.product, 1, s.with_squares.words.data() + k * words_, s.with_squares.unit[k],
                 s.with_squares.off[k]);
  }
}

// The columns from `first` on, a panel of them, with all before them. Returns how many columns
// these were: not all where too many pairs passed.
std::size_t PairScreen::screen(std::size_t first, Scratch& s, const std::function<double()>& least,
                               const std::function<void(std::size_t, std::size_t)>& found) const {
  round_others(first, s);
  const std::size_t end = std::min(first + screen_panel, count_);
  std::size_t passed = 0;
  for (std::size_t u0 = 0; u0 <= first; u0 += screen_panel) {
    stop_if_asked();
    if (passed > at_first + u0 * screen_panel / one_of) return u0;
    for (std::size_t k = 0; k < end - first; k += screened_at_once) {
      const PairScreenTask task{
          words_,
          labels_,
          screen_panel,
          {plain_.words.data() + u0 * words_, plain_.unit.data() + u0, plain_.off.data() + u0},
          {squares_.words.data() + u0 * words_, squares_.unit.data() + u0,
           squares_.off.data() + u0},
          {s.with_label.words.data() + k * words_, s.with_label.unit.data() + k,
           s.with_label.off.data() + k},
          {s.with_squares.words.data() + k * words_, s.with_squares.unit.data() + k,
           s.with_squares.off.data() + k},
          terms_.data() + u0,
          terms_.data() + first + k};
      std::uint32_t masks[screened_at_once];
      const double wanted = least();
      // Towards less where it is rounded.
      pairs_may_hold(task, static_cast<float>(wanted - 1e-6 * std::abs(wanted)), masks);
      for (std::size_t j = 0; j < screened_at_once; ++j) {
        const std::size_t v = first + k + j;
        if (v >= end) break;
        for (std::uint32_t bits = masks[j]; bits != 0; bits &= bits - 1) {
          const std::size_t u = u0 + static_cast<std::size_t>(std::countr_zero(bits));
          if (u >= v) break;
          ++passed;
          found(u, v);
        }
      }
    }
  }
  return end;
}

std::vector<PromiseTile> PairScreen::for_each(
    const std::function<double()>& least,
    const std::function<void(std::size_t, std::size_t)>& found) const {
  tbb::enumerable_thread_specific<Scratch> scratch;
  tbb::concurrent_vector<PromiseTile> left;
  std::atomic<bool> uneven = false;
  in_parallel_one_by_one((count_ + screen_panel - 1) / screen_panel, [&](std::size_t p) {
    const std::size_t first = p * screen_panel;
    const std::size_t end = std::min(first + screen_panel, count_);
    const std::size_t done = uneven ? 0 : screen(first, scratch.local(), least, found);
    if (done >= end) return;
    uneven = true;
    left.push_back({done, end - 1, first, end, nullptr});
  });
  return {left.begin(), left.end()};
}

}  // namespace fsieve::methods
