#include "data/key_medians.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "base/binary_lists.h"
#include "base/parallel.h"
#include "stats/fold.h"

namespace fsieve::inline data {
namespace {

constexpr double lowest = -std::numeric_limits<double>::infinity();
constexpr unsigned key_bits = 64;
constexpr unsigned step_bits = 11;
constexpr std::size_t step_bins = std::size_t{1} << step_bits;
constexpr std::uint64_t sign = std::uint64_t{1} << 63U;

// Keys are in the order of the numbers; the two zeros are one.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

double value_of(std::uint64_t key) {
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

// The two keys that are looked for in a column, as far as they are known: their first bits.
using Prefixes = std::array<std::uint64_t, 2>;

// Counts the next bits of the keys that begin like the ones looked for; and the two largest values.
class KeyCounts {
 public:
  KeyCounts(std::vector<std::uint64_t> columns, std::vector<Prefixes> prefixes, unsigned known)
      : columns_(std::move(columns)),
        prefixes_(std::move(prefixes)),
        known_(known),
        counts_(2 * step_bins * columns_.size()),
        largest_(columns_.size(), lowest),
        next_(columns_.size(), lowest) {}

  void add(const Block& block) {
    in_parallel(columns_.size(), [&](std::size_t c) {
      for (const double value : block.column(columns_[c])) {
        note(c, value);
        count(c, key_of(value));
      }
    });
  }
  void merge(const KeyCounts& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      note(c, other.largest_[c]);
      note(c, other.next_[c]);
    }
  }
  void save(std::ostream& out) const {
    save_values(out, counts_);
    save_values(out, largest_);
    save_values(out, next_);
  }
  void load(std::istream& in) {
    load_values(in, counts_);
    load_values(in, largest_);
    load_values(in, next_);
  }
  [[nodiscard]] std::size_t bytes() const { return counts_.size() * sizeof(std::uint64_t); }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "keys";
  void save_question(std::ostream& out) const {
    save_values(out, columns_);
    for (const Prefixes& both : prefixes_) {
      for (const std::uint64_t prefix : both) save_value(out, prefix);
    }
    save_value(out, known_);
  }
  static KeyCounts from_question(std::istream& in, const Schema& /*schema*/, Keep& /*keep*/) {
    std::vector<std::uint64_t> columns;
    load_list(in, columns);
    std::vector<Prefixes> prefixes(columns.size());
    for (Prefixes& both : prefixes) {
      for (std::uint64_t& prefix : both) load_value(in, prefix);
    }
    unsigned known = 0;
    load_value(in, known);
    return {std::move(columns), std::move(prefixes), known};
  }

  // Bits that a pass finds.
  [[nodiscard]] unsigned step() const { return std::min(step_bits, key_bits - known_); }
  [[nodiscard]] const std::uint64_t* counts(std::size_t c, std::size_t which) const {
    return counts_.data() + (2 * c + which) * step_bins;
  }
  [[nodiscard]] double largest(std::size_t c) const { return largest_[c]; }
  [[nodiscard]] double next(std::size_t c) const { return next_[c]; }

 private:
  void note(std::size_t c, double value) {
    if (value > largest_[c]) {
      next_[c] = largest_[c];
      largest_[c] = value;
    } else if (value > next_[c] && value < largest_[c]) {
      next_[c] = value;
    }
  }

  void count(std::size_t c, std::uint64_t key) {
    const std::uint64_t rest = key << known_ >> (key_bits - step());
    for (std::size_t which = 0; which < 2; ++which) {
      if (known_ > 0 && key >> (key_bits - known_) != prefixes_[c][which]) continue;
      ++counts_[(2 * c + which) * step_bins + rest];
    }
  }

  std::vector<std::uint64_t> columns_;
  std::vector<Prefixes> prefixes_;
  unsigned known_;
  std::vector<std::uint64_t> counts_;
  std::vector<double> largest_;
  std::vector<double> next_;
};

}  // namespace

std::vector<Middle> middles_by_counts(const Source& source, std::span<const std::size_t> columns) {
  NoProgress quiet;
  const std::vector<std::uint64_t> places(columns.begin(), columns.end());
  std::vector<Prefixes> prefixes(columns.size(), Prefixes{});
  // Of the keys with the same prefix, how many come before the one that is looked for.
  std::vector<std::array<std::uint64_t, 2>> ranks(columns.size(),
                                                  {(source.rows() - 1) / 2, source.rows() / 2});
  std::vector<Middle> middles(columns.size());
  for (unsigned known = 0; known < key_bits;) {
    const KeyCounts found = fold(source, KeyCounts(places, prefixes, known), "medians", quiet);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      middles[c].largest = found.largest(c);
      middles[c].next = found.next(c);
      for (std::size_t which = 0; which < 2; ++which) {
        const std::uint64_t* const counts = found.counts(c, which);
        std::uint64_t bin = 0;
        while (ranks[c][which] >= counts[bin]) ranks[c][which] -= counts[bin++];
        prefixes[c][which] = prefixes[c][which] << found.step() | bin;
      }
    }
    known += found.step();
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    middles[c].lower = value_of(prefixes[c][0]);
    middles[c].upper = value_of(prefixes[c][1]);
  }
  return middles;
}

}  // namespace fsieve::data
