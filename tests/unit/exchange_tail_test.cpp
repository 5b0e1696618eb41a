// The tails that levels are made of, beside exact counts.
#include "stats/exchange_tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/normal.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::inner;
using testing::Random;

std::vector<double> centred(std::vector<double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (double& value : values) value -= mean;
  return values;
}

TEST(Normal, TailsFarOut) {
  EXPECT_NEAR(log_normal_tail(5), -15.064998393988725, 1e-12);
  EXPECT_NEAR(log_normal_tail(40), -804.6084420137538, 1e-9);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-10);
  EXPECT_NEAR(normal_quantile(0.025), -1.959963984540054, 1e-10);
  EXPECT_NEAR(log_chi_square_tail(10, 3), -3.9864160317343833, 1e-10);
  EXPECT_NEAR(log_chi_square_tail(2, 7), -0.04098829091954576, 1e-10);
  EXPECT_NEAR(squared_normal_quantile(std::log(0.05)), 3.841458820694124, 1e-8);
}

// Values that were equal before they were computed with: on both sides of a rounded digit they were
// two, and the end of the range, where arrangements are counted, lay a hundred times further out.
TEST(ExchangeTail, DoesNotHangOnTheLastDigits) {
  Random random(11);
  for (int draw = 0; draw < 20; ++draw) {
    std::vector<double> label;
    for (const double value : random.normals(9)) label.insert(label.end(), 2, value);
    const std::vector<double> weights = label;  // the largest sum there is
    const double exact =
        exchange_tail(label.size(), 1, centred(weights), centred(label), {}).log_chance;
    std::vector<double> blurred = centred(label);
    for (double& value : blurred) value *= 1 + 1e-13 * random.normals(1)[0];
    const double computed =
        exchange_tail(label.size(), 1, centred(weights), blurred, {}).log_chance;
    EXPECT_NEAR(computed, exact, 1e-6) << "draw " << draw;
  }
}

// All arrangements of a small label, against the chance of a sum as far from 0.
TEST(ExchangeTail, IsNearTheCountOfAllArrangements) {
  Random random(4);
  for (int draw = 0; draw < 40; ++draw) {
    const std::size_t n = 14;
    std::vector<double> label(n, 0.0);
    for (std::size_t i = 0; i < 3 + static_cast<std::size_t>(draw % 5); ++i) label[n - 1 - i] = 1;
    std::vector<double> weights = random.normals(n);
    if (draw % 2 == 1) {
      for (double& weight : weights) weight = std::exp(2 * weight);  // heavy tails
    }
    weights = centred(weights);
    std::sort(weights.begin(), weights.end());  // the largest sum but for a few exchanges
    std::swap(weights[n - 1], weights[draw % 7]);
    std::vector<double> arranged = label;
    const double sum = inner(weights, centred(label));
    if (sum <= 0) continue;
    double far = 0;
    double all = 0;
    do {
      far += std::abs(inner(weights, centred(arranged))) >= sum - 1e-12 ? 1 : 0;
      ++all;
    } while (std::next_permutation(arranged.begin(), arranged.end()));
    const double chance = std::exp(exchange_tail(n, 1, weights, centred(label), {}).log_chance);
    EXPECT_GT(chance, 0.5 * far / all) << "draw " << draw;
    EXPECT_LT(chance, 12 * far / all) << "draw " << draw;
  }
}

// Six marked rows of 200, four of them among the ten of the rare class: F says 1e-14.
TEST(ExchangeTail, KnowsThatRareMeetsRareByChance) {
  std::vector<double> flags(200, 0.0);
  std::vector<double> label(200, 0.0);
  std::fill_n(flags.begin(), 6, 1.0);
  std::fill_n(label.begin() + 2, 10, 1.0);
  const double exact = 4.633786742298846e-05;  // hypergeometric, four or more
  const double chance =
      std::exp(exchange_tail(200, 1, centred(flags), centred(label), {}).log_chance);
  EXPECT_GT(chance, exact);
  EXPECT_LT(chance, 10 * exact);
}

// A label that is reached by one arrangement only is as likely as that, not impossible.
TEST(ExchangeTail, EndsWhereArrangementsEnd) {
  std::vector<double> label(40, 0.0);
  std::fill_n(label.begin(), 20, 1.0);
  const double log = exchange_tail(40, 1, centred(label), centred(label), {}).log_chance;
  const double arrangements = std::lgamma(41) - 2 * std::lgamma(21);
  EXPECT_NEAR(log, std::log(2) - arrangements, 0.5);
}

// Chances are no smaller than they may be: heavy tails beside a rare class.
TEST(ExchangeTail, HoldsForHeavyTailsAndRareClasses) {
  Random random(8);
  int below[2] = {};
  const int draws = 4000;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<double> weights = random.normals(100);
    for (double& weight : weights) weight = std::exp(2 * weight);
    std::vector<double> label(100, 0.0);
    std::fill_n(label.begin(), 5, 1.0);
    weights = centred(weights);
    label = centred(label);
    if (inner(weights, label) < 0) {
      for (double& weight : weights) weight = -weight;
    }
    const double log = exchange_tail(100, 1, weights, label, {}).log_chance;
    below[0] += log < std::log(0.05) ? 1 : 0;
    below[1] += log < std::log(0.01) ? 1 : 0;
  }
  EXPECT_LE(below[0], 250);
  EXPECT_LE(below[1], 61);
}

TEST(ExchangeTail, CountsAreRepeatedRows) {
  Random random(2);
  std::vector<double> weights = random.normals(30);
  std::vector<double> label = random.signs(30);
  std::vector<double> counts;
  std::vector<double> all_weights;
  std::vector<double> all_label;
  for (std::size_t i = 0; i < 30; ++i) {
    weights[i] += label[i];
    counts.push_back(static_cast<double>(1 + i % 3));
    for (std::size_t k = 0; k < 1 + i % 3; ++k) {
      all_weights.push_back(weights[i]);
      all_label.push_back(label[i]);
    }
  }
  double mean = 0;
  for (const double value : all_label) mean += value / static_cast<double>(all_label.size());
  for (double& value : all_label) value -= mean;
  for (double& value : label) value -= mean;
  const ExchangeTail one = exchange_tail(30, 1, weights, label, counts);
  const ExchangeTail other = exchange_tail(all_label.size(), 1, all_weights, all_label, {});
  EXPECT_NEAR(one.z, other.z, 1e-10);
  EXPECT_NEAR(one.log_chance, other.log_chance, 1e-8);
}

}  // namespace
}  // namespace fsieve
