// Random numbers by address: which seed, which purpose, which row, which position.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/philox.h"

namespace fsieve::inline base {

// Two independent 64-bit numbers for every (row, position). Different purposes never overlap.
class RandomNumbers {
 public:
  RandomNumbers(std::uint64_t seed, std::uint32_t purpose)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)},
        purpose_(purpose) {}

  [[nodiscard]] std::array<std::uint64_t, 2> bits(std::uint64_t row, std::uint32_t position) const;

  // Two uniform numbers in (0, 1).
  [[nodiscard]] std::array<double, 2> uniform(std::uint64_t row, std::uint32_t position) const;

  // Two standard normal numbers (Box-Muller).
  [[nodiscard]] std::array<double, 2> normal(std::uint64_t row, std::uint32_t position) const;

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint32_t purpose_;
};

// The same numbers one after another, for choices that are made once.
class RandomChoices {
 public:
  RandomChoices(std::uint64_t seed, std::uint32_t purpose) : numbers_(seed, purpose) {}

  [[nodiscard]] double uniform();                      // in (0, 1)
  [[nodiscard]] std::size_t below(std::size_t limit);  // 0 ... limit - 1, equally likely

 private:
  [[nodiscard]] std::uint64_t next();

  RandomNumbers numbers_;
  std::uint64_t drawn_ = 0;
};

}  // namespace fsieve::base
