// The bound of Theorem 2 of 000 against its definition, row by row.
#include "measure/loss_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "supervised_tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;

// The largest squared value of an orthogonalised parity.
double largest_by_rows(const SupervisedData& data, const std::vector<std::size_t>& chosen) {
  using Function = std::vector<double>;
  const std::size_t n = data.rows();
  const auto inner = [&](const Function& a, const Function& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum / static_cast<double>(n);
  };
  std::vector<Function> parities{Function(n, 1.0)};
  for (const std::size_t feature : chosen) {
    const double* column = data.column(data.design.features[feature].first);
    const std::size_t earlier = parities.size();
    for (std::size_t p = 0; p < earlier; ++p) {
      Function product = parities[p];
      for (std::size_t i = 0; i < n; ++i) product[i] *= column[i];
      parities.push_back(std::move(product));
    }
  }
  double largest = 1;
  std::vector<Function> kept;
  for (Function& own : parities) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const Function& other : kept) {
        const double share = inner(own, other);
        for (std::size_t i = 0; i < n; ++i) own[i] -= share * other[i];
      }
    }
    const double norm = std::sqrt(inner(own, own));
    if (norm < 1e-6) continue;
    for (double& value : own) {
      value /= norm;
      largest = std::max(largest, value * value);
    }
    kept.push_back(std::move(own));
  }
  return largest;
}

TEST(LossBound, IsThatOfTheRows) {
  for (const std::size_t rows : {12U, 300U}) {
    Random random(rows);
    Columns x;
    for (const double share : {0.5, 0.1, 0.3, 0.5, 0.9}) x.push_back(random.signs(rows, share));
    x[3] = testing::product(x[0], x[1]);  // so that cells are empty and parities trivial
    for (double& value : x[2]) value = 1e6 + 3 * value;
    const auto loaded = testing::load(x, random.signs(rows), Task::classification);
    for (const std::vector<std::size_t>& chosen :
         {std::vector<std::size_t>{2}, {4, 1}, {0, 1, 3}, {3, 2, 4, 0, 1}}) {
      const auto k = static_cast<double>(chosen.size());
      const double c = largest_by_rows(loaded.data, chosen);
      const double lambda = 8 * k * std::exp2(2 * k) * c * c;
      const double excess =
          std::sqrt(lambda * std::log(7 / 0.05) / (static_cast<double>(rows) - 1));
      const LossBound bound = loss_bound(loaded.data, chosen, 7, 0.05);
      EXPECT_NEAR(bound.excess_loss, excess, 1e-9 * excess) << rows << " " << chosen.size();
      EXPECT_EQ(bound.vacuous, excess >= 1);
    }
  }
}

}  // namespace
}  // namespace fsieve
