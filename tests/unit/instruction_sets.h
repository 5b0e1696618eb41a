// What tests of kernels share: each answers with every instruction set of this machine, and whole
// numbers are the same to the byte, reals up to rounding.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/instruction_set.h"
#include "bits/promising.h"

namespace fsieve {

class InstructionSets : public ::testing::Test {
 protected:
  InstructionSets() {
    simd::obey_environment();
    before_ = simd::chosen();
  }
  ~InstructionSets() override { simd::choose(before_); }

  // What `kernel` gives with each set, the portable one first.
  template <typename Kernel>
  static auto with_each(const Kernel& kernel) {
    std::vector<decltype(kernel())> answers;
    auto sets = simd::available();
    for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
      simd::choose(*set);
      EXPECT_EQ(simd::chosen(), *set);
      answers.push_back(kernel());
    }
    return answers;
  }

  template <typename Kernel>
  static void expect_equal(const Kernel& kernel) {
    const auto answers = with_each(kernel);
    for (const auto& answer : answers) EXPECT_EQ(answer, answers.front());
  }

  // Sums of reals are formed in another order, and a set without fused multiply-adds rounds twice.
  template <typename Kernel>
  static void expect_near(double rounding, const Kernel& kernel) {
    const auto answers = with_each(kernel);
    const auto& portable = answers.front();
    for (const auto& answer : answers) {
      ASSERT_EQ(answer.size(), portable.size());
      for (std::size_t k = 0; k < answer.size(); ++k) {
        if (answer[k] == portable[k]) continue;  // infinite, for instance
        EXPECT_NEAR(answer[k], portable[k], rounding * (1 + std::abs(portable[k]))) << k;
      }
    }
  }

  std::vector<std::uint64_t> words(std::size_t count) {
    std::vector<std::uint64_t> all(count);
    for (std::uint64_t& word : all) word = random_();
    return all;
  }

  // Columns of bits with as many words as the kernels may read past the end.
  std::vector<std::vector<std::uint64_t>> bits(std::size_t columns, std::size_t count) {
    std::vector<std::vector<std::uint64_t>> all(columns);
    for (auto& column : all) column = words(count + 8);
    return all;
  }

  template <typename Number = double>
  std::vector<Number> numbers(std::size_t count, double scale = 1) {
    std::normal_distribution<double> normal;
    std::vector<Number> all(count);
    for (Number& number : all) number = static_cast<Number>(scale * normal(random_));
    return all;
  }

  template <typename Whole>
  std::vector<Whole> wholes(std::size_t count, std::int64_t from, std::int64_t to) {
    std::uniform_int_distribution<std::int64_t> uniform(from, to);
    std::vector<Whole> all(count);
    for (Whole& whole : all) whole = static_cast<Whole>(uniform(random_));
    return all;
  }

  // As PrefixCounts: rows with random classes and features.
  struct MadeCounts {
    int bits;
    std::size_t classes, count, rows;
    std::vector<std::vector<std::uint32_t>> with;
    std::vector<std::uint32_t> without;
    std::vector<const std::uint32_t*> places;

    [[nodiscard]] PrefixCounts view() const {
      return {bits, classes, places.data(), without.data(), count};
    }
    // Rows of a class whose features of the prefix are exactly these.
    [[nodiscard]] std::vector<std::int32_t> cells(std::size_t of_class) const {
      const auto* first = without.data() + (of_class << static_cast<unsigned>(bits));
      std::vector<std::int32_t> all(first, first + (std::size_t{1} << static_cast<unsigned>(bits)));
      for (std::size_t step = 1; step < all.size(); step *= 2) {
        for (std::size_t s = 0; s < all.size(); ++s) {
          if ((s & step) == 0) all[s] -= all[s + step];
        }
      }
      return all;
    }
  };
  MadeCounts counts(int bits, std::size_t classes) {
    MadeCounts made{bits, classes, 21, 300, {}, {}, {}};
    const std::size_t subsets = std::size_t{1} << static_cast<unsigned>(bits);
    made.with.assign(classes * subsets, std::vector<std::uint32_t>(made.count + 16));
    made.without.resize(classes * subsets);
    for (std::size_t row = 0; row < made.rows; ++row) {
      const std::size_t of_class = random_() % classes;
      const std::uint64_t prefix = random_();
      const std::uint64_t last = random_();
      for (std::size_t s = 0; s < subsets; ++s) {
        if ((prefix & s) != s) continue;
        ++made.without[of_class * subsets + s];
        auto& of_subset = made.with[of_class * subsets + s];
        for (std::size_t c = 0; c < made.count; ++c) of_subset[c] += last >> c & 1U;
      }
    }
    for (const auto& of_subset : made.with) made.places.push_back(of_subset.data());
    return made;
  }

  // The numbers that `find(found)` writes.
  template <typename Found, typename Find>
  static std::vector<Found> found_by(std::size_t most, const Find& find) {
    std::vector<Found> found(most);
    found.resize(find(found.data()));
    return found;
  }

 private:
  std::string before_;
  std::mt19937_64 random_{7};
};

template <typename Number>
std::vector<const Number*> pointers(const std::vector<std::vector<Number>>& columns) {
  std::vector<const Number*> all;
  for (const auto& column : columns) all.push_back(column.data());
  return all;
}

}  // namespace fsieve
