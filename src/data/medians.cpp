#include "data/medians.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/parallel.h"
#include "base/stop.h"
#include "data/key_medians.h"
#include "source/parted_source.h"

namespace fsieve::inline data {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Some number for a row and a round, as good as random (the finaliser of SplitMix64).
std::uint64_t scrambled(std::uint64_t row, std::uint64_t round) {
  std::uint64_t x = row + (round + 1) * 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBULL;
  return x ^ x >> 31U;
}

// The two middle values of one column, which are known to lie in some range. Every round draws
// values of the range, takes two of these around the middle, and counts: if all went well, the few
// values between the two can be held, and the middle is among them.
class MiddleSearch {
 public:
  explicit MiddleSearch(std::size_t rows) : ranks_{(rows - 1) / 2, rows / 2} {
    range_.values = rows;
  }

  [[nodiscard]] bool done() const { return found_[0] && found_[1]; }
  [[nodiscard]] std::size_t values_in_range() const { return range_.values; }
  [[nodiscard]] Middle middle() const { return {*found_[0], *found_[1], largest_, next_}; }

  // A row is drawn where its scrambled number is at most the limit.
  void begin_draw(std::size_t wanted) {
    const double share = static_cast<double>(wanted) / static_cast<double>(range_.values);
    limit_ = share < 1 ? static_cast<std::uint64_t>(std::ldexp(share, 64)) : UINT64_MAX;
  }
  void draw(std::span<const double> values, const std::vector<std::uint64_t>& numbers) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (numbers[i] <= limit_ && values[i] > range_.from && values[i] < range_.to) {
        held_.push_back(values[i]);
      }
    }
  }

  // With what was drawn, if anything was.
  void begin_count(std::size_t most_held) {
    low_ = range_.from;
    high_ = range_.to;
    if (!held_.empty()) place_around_middle();
    forget_values();
    most_held_ = most_held;
    below_ = at_low_ = between_ = at_high_ = 0;
  }
  void count(std::span<const double> values) {
    for (const double value : values) {
      note_largest(value);
      below_ += static_cast<std::size_t>(value < low_);
      at_low_ += static_cast<std::size_t>(value == low_);
      at_high_ += static_cast<std::size_t>(value == high_);
      if (value <= low_ || value >= high_) continue;
      if (between_++ < most_held_) held_.push_back(value);
    }
  }
  // Two neighbours in the order are never on both sides of a value that occurs: what is still not
  // found lies in one range.
  void end_count() {
    if (low_ == high_) at_high_ = 0;  // counted already
    const std::size_t to_low = below_ + at_low_;
    const std::size_t to_between = to_low + between_;
    const std::size_t to_high = to_between + at_high_;
    const Range was = range_;
    for (std::size_t k = 0; k < 2; ++k) {
      if (found_[k]) continue;
      const std::size_t rank = ranks_[k];
      if (rank < below_) {
        range_ = {was.from, low_, was.before, below_ - was.before};
      } else if (rank < to_low) {
        found_[k] = low_;
      } else if (rank < to_between && between_ > most_held_) {
        range_ = {low_, high_, to_low, between_};
      } else if (rank < to_between) {
        found_[k] = held_value(rank - to_low);
      } else if (rank < to_high) {
        found_[k] = high_;
      } else {
        range_ = {high_, was.to, to_high, was.before + was.values - to_high};
      }
    }
    forget_values();
  }

 private:
  // All values strictly between two.
  struct Range {
    double from = -infinity;
    double to = infinity;
    std::size_t before = 0;  // values at most `from`
    std::size_t values = 0;
  };

  void note_largest(double value) {
    if (value > largest_) {
      next_ = largest_;
      largest_ = value;
    } else if (value > next_ && value < largest_) {
      next_ = value;
    }
  }

  // To both sides by five standard deviations of what a draw says of the middle.
  void place_around_middle() {
    std::sort(held_.begin(), held_.end());
    const auto drawn = static_cast<double>(held_.size());
    const double middle =
        static_cast<double>(ranks_[0] - range_.before) / static_cast<double>(range_.values) * drawn;
    const double slack = 2.5 * std::sqrt(drawn) + 1;
    const double last = drawn - 1;
    if (middle > slack) low_ = held_[static_cast<std::size_t>(std::min(middle - slack, last))];
    if (middle + slack < last) high_ = held_[static_cast<std::size_t>(middle + slack)];
  }

  [[nodiscard]] double held_value(std::size_t rank) {
    const auto place = held_.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(held_.begin(), place, held_.end());
    return *place;
  }

  void forget_values() { std::vector<double>().swap(held_); }

  std::size_t ranks_[2];
  std::optional<double> found_[2];
  Range range_;
  std::uint64_t limit_ = 0;
  double low_ = 0;
  double high_ = 0;
  std::size_t below_ = 0;
  std::size_t at_low_ = 0;
  std::size_t between_ = 0;
  std::size_t at_high_ = 0;
  std::size_t most_held_ = 0;
  std::vector<double> held_;  // drawn, or between low and high
  double largest_ = -infinity;
  double next_ = -infinity;
};

// Calls body(k, block) for the columns k that are not done, in parallel.
template <class Prepare, class Body>
void for_open_columns(const Source& source, const std::vector<std::size_t>& open,
                      const Prepare& prepare, const Body& body) {
  const auto reader = source.open();
  Block block;
  while (reader->next(block)) {
    stop_if_asked();
    prepare(block);
    in_parallel(open.size(), [&](std::size_t k) { body(open[k], block); });
  }
}

}  // namespace

std::vector<Middle> middles_of(const Source& source, std::span<const std::size_t> columns,
                               std::size_t most_values) {
  if (!rows_are_here(source)) return middles_by_counts(source, columns);
  constexpr std::size_t most_drawn = 1 << 16;
  constexpr std::size_t least_drawn = 1 << 8;
  std::vector<MiddleSearch> searches(columns.size(), MiddleSearch(source.rows()));
  std::vector<std::size_t> open(columns.size());
  for (std::size_t k = 0; k < open.size(); ++k) open[k] = k;
  for (std::uint64_t round = 0; !open.empty(); ++round) {
    const std::size_t most_held = std::max(most_values / open.size(), 4 * least_drawn);
    const std::size_t wanted = std::clamp(most_held / 4, least_drawn, most_drawn);
    std::vector<std::size_t> drawn;
    for (const std::size_t k : open) {
      if (searches[k].values_in_range() > most_held) drawn.push_back(k);
    }
    if (!drawn.empty()) {
      for (const std::size_t k : drawn) searches[k].begin_draw(wanted);
      std::vector<std::uint64_t> numbers;
      for_open_columns(
          source, drawn,
          [&](const Block& block) {
            numbers.resize(block.rows);
            for (std::size_t i = 0; i < block.rows; ++i) {
              numbers[i] = scrambled(block.first_row + i, round);
            }
          },
          [&](std::size_t k, const Block& block) {
            searches[k].draw(block.column(columns[k]), numbers);
          });
    }
    for (const std::size_t k : open) searches[k].begin_count(most_held);
    for_open_columns(
        source, open, [](const Block&) {},
        [&](std::size_t k, const Block& block) { searches[k].count(block.column(columns[k])); });
    for (const std::size_t k : open) searches[k].end_count();
    std::erase_if(open, [&](std::size_t k) { return searches[k].done(); });
  }
  std::vector<Middle> middles;
  middles.reserve(searches.size());
  for (const MiddleSearch& search : searches) middles.push_back(search.middle());
  return middles;
}

}  // namespace fsieve::data
