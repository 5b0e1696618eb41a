#include "methods/forward/pair_screen.h"

#include <tbb/concurrent_vector.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "base/stop.h"

namespace fsieve::inline methods {
namespace {

// Of pairs looked at, those that may pass before other ways are quicker; and so many anyway, since
// at first nothing is known.
constexpr std::size_t one_of = 8;
constexpr std::size_t at_first = 4096;

// Rows times columns of the label up to which 8 bits tell something: half a unit, which is a 127th
// of the largest number, in every row of both factors makes some 0.03 √(rows · columns) deviations.
constexpr std::size_t most_coarse_rows = 2048;
// Added to numbers of 8 bits that must have no sign.
constexpr std::int32_t without_sign = 128;
// Coarse screens that are tried with a panel, of which half must rule out all their pairs.
constexpr std::size_t coarse_tries = 16;

std::size_t words_for(std::size_t rows, std::size_t per_word) {
  return (rows + per_word - 1) / per_word;
}

}  // namespace

bool PairScreen::pays(std::size_t rows, std::size_t columns, std::size_t labels) {
  constexpr std::size_t most_rows = std::size_t{1} << 20U;  // more would not fit the sums
  constexpr std::size_t most_values = std::size_t{1} << 20U;
  return rows <= most_rows && rows * labels <= most_values && columns * columns > 4 * at_first;
}

void PairScreen::Columns::resize(std::size_t columns, std::size_t words_of_one) {
  words_of_each = words_of_one;
  const std::size_t count = columns * words_of_each;
  words.reserve(count);
  use_large_pages(words.data(), count * sizeof(std::int32_t));
  words.resize(count);
  unit.assign(columns, 0);
  off.assign(columns, 0);
}

RoundedTo PairScreen::Columns::in_panel(std::size_t column) {
  const std::size_t place = column % screen_panel;
  return {words.data() + (column - place) * words_of_each + place, screen_panel, unit[column],
          off[column]};
}

PairScreen::PairScreen(std::size_t rows, const double* values, const std::vector<double>& terms,
                       const std::vector<double>& weight, const std::vector<double>& residual)
    : rows_(rows),
      count_(terms.size()),
      labels_(residual.size() / rows),
      values_(values),
      weight_(weight),
      residual_(residual),
      coarse_first_(residual.size() <= most_coarse_rows && coarse_screens()) {
  const std::size_t panels = (count_ + screen_panel - 1) / screen_panel;
  // What fills up the last panel never passes.
  terms_.assign(panels * screen_panel, -std::numeric_limits<float>::infinity());
  put_even_ones_first();
  for (std::size_t c = 0; c < count_; ++c) terms_[c] = static_cast<float>(terms[order_[c]]);
  fine_.plain.resize(panels * screen_panel, words_for(rows_, fine_rows));
  fine_.squares.resize(panels * screen_panel, words_for(rows_, fine_rows));
  if (coarse_first_) {
    coarse_.plain.resize(panels * screen_panel, words_for(rows_, coarse_rows));
    coarse_.squares.resize(panels * screen_panel, words_for(rows_, coarse_rows));
  }
  in_parallel(panels, [&](std::size_t p) { round_panel(p * screen_panel); });
}

// Columns of a few large numbers are those that 8 bits say little of: they share panels, so that
// others are ruled out together.
void PairScreen::put_even_ones_first() {
  std::vector<double> sums(count_);
  in_parallel(count_, [&](std::size_t c) { sums[c] = sizes_of(rows_, values_ + c * rows_).sum; });
  order_.resize(count_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
}

void PairScreen::round_panel(std::size_t first) {
  std::vector<double> column(rows_);
  for (std::size_t c = first; c < std::min(first + screen_panel, count_); ++c) {
    std::copy_n(values(c), rows_, column.data());
    const Sizes sizes = sizes_of(rows_, column.data());
    round_finely(column, sizes, fine_.plain.in_panel(c));
    if (coarse_first_) round_coarsely(column, sizes, without_sign, coarse_.plain.in_panel(c));
    for (double& value : column) value *= value;
    const Sizes of_squares = sizes_of(rows_, column.data());
    round_finely(column, of_squares, fine_.squares.in_panel(c));
    if (coarse_first_) round_down(column, of_squares, 255, coarse_.squares.in_panel(c));
  }
}

// The same columns, times the weight and what is left of the label.
void PairScreen::round_others(std::size_t first, Scratch& s) const {
  s.fine.with_label.resize(labels_ * screen_panel, fine_.plain.words_of_each);
  s.fine.with_squares.resize(screen_panel, fine_.plain.words_of_each);
  s.coarse.with_label.resize(labels_ * screen_panel, coarse_.plain.words_of_each);
  s.coarse.with_squares.resize(screen_panel, coarse_.squares.words_of_each);
  s.coarse.more.resize(labels_ * screen_panel);
  s.product.resize(rows_);
  for (std::size_t k = 0; k < screen_panel; ++k) {
    // What fills up the last panel is some column or other: its pairs are never looked at.
    const double* column = values(std::min(first + k, count_ - 1));
    for (std::size_t y = 0; y < labels_; ++y) {
      const double* label = residual_.data() + y * rows_;
      for (std::size_t i = 0; i < rows_; ++i) s.product[i] = column[i] * weight_[i] * label[i];
      const std::size_t at = y * screen_panel + k;
      const Sizes sizes = sizes_of(rows_, s.product.data());
      round_finely(s.product, sizes, s.fine.with_label.one(at));
      if (!coarse_first_) continue;
      s.coarse.more[at] =
          without_sign * round_coarsely(s.product, sizes, 0, s.coarse.with_label.one(at));
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      const double value = column[i] * weight_[i];
      s.product[i] = value * value;
    }
    const Sizes sizes = sizes_of(rows_, s.product.data());
    round_finely(s.product, sizes, s.fine.with_squares.one(k));
    if (coarse_first_) round_down(s.product, sizes, 127, s.coarse.with_squares.one(k));
  }
}

// Of the panel from u on and the columns from first + k on.
PairScreenTask PairScreen::task(const Panels& panels, const Others& others, std::size_t u,
                                std::size_t first, std::size_t k) const {
  return {panels.plain.words_of_each,
          labels_,
          screen_panel,
          panels.plain.from(u),
          panels.squares.from(u),
          others.with_label.from(k),
          others.with_squares.from(k),
          others.more.empty() ? nullptr : others.more.data() + k,
          terms_.data() + u,
          terms_.data() + first + k};
}

// The columns from `first` on, a panel of them, with all before them. Returns how many columns
// these were: not all where too many pairs passed.
std::size_t PairScreen::screen(std::size_t first, Scratch& s, const std::function<double()>& least,
                               const std::function<void(std::size_t, std::size_t)>& found) const {
  round_others(first, s);
  const std::size_t end = std::min(first + screen_panel, count_);
  std::size_t passed = 0;
  std::size_t coarse_tried = 0;
  std::size_t coarse_passed = 0;
  for (std::size_t u0 = 0; u0 <= first; u0 += screen_panel) {
    stop_if_asked();
    if (passed > at_first + u0 * screen_panel / one_of) return u0;
    for (std::size_t k = 0; k < end - first; k += screened_at_once) {
      const double wanted = least();
      // Towards less where it is rounded.
      const auto limit = static_cast<float>(wanted - 1e-6 * std::abs(wanted));
      if (coarse_first_ && (coarse_tried < coarse_tries || 2 * coarse_passed < coarse_tried)) {
        ++coarse_tried;
        if (!any_pair_may_hold(task(coarse_, s.coarse, u0, first, k), limit)) continue;
        ++coarse_passed;
      }
      std::uint32_t masks[screened_at_once];
      pairs_may_hold(task(fine_, s.fine, u0, first, k), limit, masks);
      for (std::size_t j = 0; j < screened_at_once; ++j) {
        const std::size_t v = first + k + j;
        if (v >= end) break;
        for (std::uint32_t bits = masks[j]; bits != 0; bits &= bits - 1) {
          const std::size_t u = u0 + static_cast<std::size_t>(std::countr_zero(bits));
          if (u >= v) break;
          ++passed;
          found(std::min(order_[u], order_[v]), std::max(order_[u], order_[v]));
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
