// Promises of pairs, by products and by counts, beside a loop.
#include "methods/forward/pair_promises.h"

#include <gtest/gtest.h>

#include "methods/forward/sign_promises.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Random;

// Every pair u < v once.
std::vector<double> collected(std::size_t count,
                              const std::function<void(const PromiseTaker&)>& run) {
  std::vector<double> all(count * count, -1.0);
  run([&](const PromiseTile& tile) {
    for (std::size_t v = tile.v0; v < tile.v1; ++v) {
      for (std::size_t u = tile.u0; u < std::min(tile.u1, v); ++u) {
        EXPECT_EQ(all[u + v * count], -1.0);
        all[u + v * count] = tile.promise[(u - tile.u0) + (v - tile.v0) * (tile.u1 - tile.u0)];
      }
    }
  });
  return all;
}

TEST(PairPromises, AreSumsOverRows) {
  for (const std::size_t classes : {2, 4}) {
    for (const std::size_t count : {2, 5, 300}) {
      Random random(classes + count);
      const std::size_t n = 150;
      Label label;
      label.rows = n;
      label.weight = static_cast<double>(n);
      label.classes.resize(classes, "a class");
      for (std::size_t i = 0; i < n; ++i) {
        label.codes.push_back(i < classes ? i : random.below(classes));
        label.numbers.push_back(label.codes[i] == 0 ? -1 : 1);
      }
      const std::vector<double> residual = label.centred_columns();
      std::vector<double> columns;
      for (std::size_t c = 0; c < count; ++c) {
        for (const double sign : random.signs(n, 0.3)) columns.push_back(sign > 0 ? 1.5 : -0.7);
      }
      const std::vector<float> narrow(columns.begin(), columns.end());
      const auto products = collected(count, [&](const PromiseTaker& take) {
        pair_promises(n, narrow.data(), all_pairs(count), std::vector<double>(n, 1.0), residual,
                      take);
      });
      const SignPromises signs(label, columns.data(), count, residual);
      const auto counts =
          collected(count, [&](const PromiseTaker& take) { signs.for_each(count, take); });
      for (std::size_t v = 1; v < count; v += 1 + count / 20) {
        for (std::size_t u = 0; u < v; ++u) {
          double sum = 0;
          double norm = 0;
          for (std::size_t y = 0; y < label.columns(); ++y) {
            double inner = 0;
            norm = 0;
            for (std::size_t i = 0; i < n; ++i) {
              const double product = columns[u * n + i] * columns[v * n + i];
              inner += product * residual[y * n + i];
              norm += product * product;
            }
            sum += inner * inner;
          }
          EXPECT_NEAR(products[u + v * count], sum / norm, 1e-5 * (1 + sum / norm));
          EXPECT_NEAR(counts[u + v * count], sum / norm, 1e-10);
        }
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
