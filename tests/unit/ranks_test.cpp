// Rows in the order of their values, and polynomials of their ranks, beside slow twins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/families.h"
#include "data/row_order.h"
#include "supervised_tables.h"

namespace fsieve {
namespace {

using testing::Random;

std::vector<std::size_t> sorted_rows(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

TEST(Ranks, RowsInOrder) {
  for (const std::size_t n : {0U, 1U, 2U, 191U, 192U, 700U, 5000U}) {
    Random random(n);
    const std::vector<double> normal = random.normals(n);
    std::vector<std::vector<double>> columns{normal, random.signs(n), std::vector<double>(n, 2.5)};
    const auto made = [&](const auto& function) {
      auto& column = columns.emplace_back(normal);
      std::transform(column.begin(), column.end(), column.begin(), function);
    };
    made([](double x) { return std::round(x); });
    made([](double x) { return std::round(100 * x); });
    made([](double x) { return std::exp(40 * x); });
    made([](double x) { return 1 + 1e-15 * x; });
    made([](double x) { return std::abs(x) < 0.5 ? std::copysign(0.0, x) : x; });
    made([](double x) { return x * std::numeric_limits<double>::denorm_min() * 100; });
    // One far value, beside which the others are the same but for their last bits.
    made([](double x) { return 1 + 1e-13 * std::round(3 * x); });
    if (n > 7) columns.back()[7] = -1e300;
    for (const auto& column : columns) ASSERT_EQ(rows_in_order(column), sorted_rows(column)) << n;
  }
}

// Gram and Schmidt over the rows, in more digits.
std::vector<double> made_orthonormal(const std::vector<double>& ranks,
                                     const std::vector<double>& weights) {
  const std::size_t n = ranks.size();
  using Function = std::vector<long double>;
  const auto inner = [&](const Function& a, const Function& b) {
    long double sum = 0;
    long double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = weights.empty() ? 1 : weights[i];
      sum += weight * a[i] * b[i];
      total += weight;
    }
    return sum / total;
  };
  std::vector<Function> kept{Function(n, 1)};
  std::vector<double> functions;
  for (int degree = 1; degree <= 3; ++degree) {
    Function own(n);
    for (std::size_t i = 0; i < n; ++i)
      own[i] = std::pow(static_cast<long double>(ranks[i]), degree);
    const long double before = inner(own, own);
    for (const Function& other : kept) {
      const long double share = inner(own, other);
      for (std::size_t i = 0; i < n; ++i) own[i] -= share * other[i];
    }
    const long double left = inner(own, own);
    if (left <= 1e-3L * before) continue;
    for (long double& value : own) value /= std::sqrt(left);
    kept.push_back(own);
    for (const long double value : own) functions.push_back(static_cast<double>(value));
  }
  return functions;
}

TEST(Ranks, PolynomialsAreThoseOfTheRows) {
  for (const std::size_t n : {20U, 60U, 2000U}) {
    Random random(n + 1);
    std::vector<double> rare(n);
    rare[1] = 1;
    rare[3] = 3;
    rare[4] = 2;
    for (const auto& values : {random.normals(n), random.codes(n, 2), random.codes(n, 3),
                               random.codes(n, 4), random.codes(n, 17), rare}) {
      for (const auto& weights : {std::vector<double>(), random.codes(n, 5)}) {
        std::vector<double> counts = weights;
        for (double& weight : counts) weight += 0.5;
        const auto found = rank_polynomials(values, counts);
        const auto twin = made_orthonormal(centred_ranks(values, counts), counts);
        ASSERT_EQ(found.size(), twin.size());
        for (std::size_t k = 0; k < twin.size(); ++k) EXPECT_NEAR(found[k], twin[k], 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
