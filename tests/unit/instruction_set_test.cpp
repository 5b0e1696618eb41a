// The kernels give the same counts with every instruction set of this machine, and the choice of
// one is obeyed or refused.
#include "base/instruction_set.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "bits/and_count.h"
#include "bits/xor_count.h"
#include "fsieve/error.h"
#include "fsieve/version.h"
#include "methods/union/sweep.h"

namespace fsieve {
namespace {

using ::testing::HasSubstr;

class InstructionSetTest : public ::testing::Test {
 protected:
  InstructionSetTest() {
    simd::obey_environment();
    before_ = simd::chosen();
  }
  ~InstructionSetTest() override { simd::choose(before_); }

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

  // Columns of bits with as many words as the kernels may read past the end.
  std::vector<std::vector<std::uint64_t>> bits(std::size_t columns, std::size_t words) {
    std::vector<std::vector<std::uint64_t>> all(columns);
    for (auto& column : all) {
      for (std::size_t w = 0; w < words + 8; ++w) column.push_back(random_());
    }
    return all;
  }

  std::vector<double> numbers(std::size_t count) {
    std::normal_distribution<double> normal;
    std::vector<double> all(count);
    for (double& number : all) number = normal(random_);
    return all;
  }

 private:
  std::string before_;
  std::mt19937_64 random_{7};
};

std::vector<const std::uint64_t*> pointers(const std::vector<std::vector<std::uint64_t>>& columns) {
  std::vector<const std::uint64_t*> all;
  for (const auto& column : columns) all.push_back(column.data());
  return all;
}

TEST_F(InstructionSetTest, EveryMachineHasThePortableSet) {
  EXPECT_EQ(simd::available().back(), "portable");
}

TEST_F(InstructionSetTest, AndCounts) {
  for (const std::size_t words : {1U, 3U, 8U, 29U}) {
    const auto columns = bits(11, words + 1);
    const auto of = pointers(columns);
    for (const std::size_t first : {0U, 1U}) {  // words need not be aligned
      expect_equal([&] {
        std::vector<std::uint32_t> counts(5 * 6, 1);
        add_and_counts({of.data(), 5, nullptr, of.data() + 5, 6, counts.data(), 6}, first, words);
        return counts;
      });
    }
    expect_equal([&] {
      std::vector<std::uint64_t> both(words);
      and_words(of[0], of[1], words, both.data());
      return both;
    });
  }
}

TEST_F(InstructionSetTest, XorCounts) {
  for (const std::size_t words : {1U, 3U, 8U, 29U}) {
    const auto columns = bits(8, words);
    const auto of = pointers(columns);
    expect_equal([&] {
      std::array<std::int64_t, 16> counts{};
      add_xor_counts_4x4(of.data(), of.data() + 4, words, counts.data());
      return counts;
    });
  }
}

// Sums of reals are formed in another order, and a set without fused multiply-adds rounds twice.
TEST_F(InstructionSetTest, SweepsUpToRounding) {
  constexpr std::size_t rows = 64;
  const auto b = numbers(rows);
  const auto base = numbers(rows);
  const auto c = numbers(4 * rows);
  const auto v = numbers(4 * 8);
  const auto y = numbers(rows);
  const auto scaled = numbers(rows);
  const SweepLabel label{Measure::m_n, rows, 1, y.data(), scaled.data()};
  const auto answers = with_each([&] {
    const std::array<const double*, 4> columns{c.data(), c.data() + rows, c.data() + 2 * rows,
                                               c.data() + 3 * rows};
    const std::array<const double*, 4> coefficients{v.data(), v.data() + 8, v.data() + 16,
                                                    v.data() + 24};
    std::array<double, 4> sums{};
    sweep_four_pairs(label, b.data(), base.data(), columns.data(), coefficients.data(),
                     sums.data());
    return sums;
  });
  for (const auto& sums : answers) {
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(sums[k], answers.front()[k], 1e-12 * (1 + answers.front()[k]));
    }
  }
}

TEST_F(InstructionSetTest, BuildInfoNamesIt) {
  simd::choose("portable");
  EXPECT_THAT(build_info(), HasSubstr("SIMD: portable"));
}

TEST_F(InstructionSetTest, AnUnknownSetIsRefused) {
  try {
    simd::choose("mmx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_THAT(error.what(), HasSubstr("FSIEVE_SIMD is mmx"));
    EXPECT_THAT(error.what(), HasSubstr("portable"));
  }
}

}  // namespace
}  // namespace fsieve
