// The products that explain a column, chosen one after another.
#include "span/support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "tables.h"

namespace fsieve {
namespace {

using testing::Random;

constexpr double all_rows = 50;

// Coordinates on orthonormal functions stand for the values: parities 1, a, b, ab of two columns.
struct Coordinates {
  std::vector<Parity> parities{Parity(), Parity().times(7), Parity().times(4),
                               Parity().times(7).times(4)};
  std::vector<double> lower;  // 4 x 4
  std::vector<double> target{0, 0.5, 0.3, 0.7};

  Coordinates() : lower(16) {
    Random random(1);
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t k = c; k < 4; ++k) lower[k + 4 * c] = k == c ? 1 : random.uniform() - 0.5;
    }
  }

  [[nodiscard]] double product(std::size_t p, std::size_t q) const {
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) sum += lower[p + 4 * c] * lower[q + 4 * c];
    return sum * all_rows;
  }
  [[nodiscard]] double with_target(std::size_t p) const {
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c) sum += lower[p + 4 * c] * target[c];
    return sum * all_rows;
  }
  // What one of them leaves is bearable.
  [[nodiscard]] std::vector<Parity> found(decltype(SupportTarget::hope) hope) const {
    SupportTarget own{target, 0.17};
    own.patience = 1;
    own.bearable = 1;
    own.hope = std::move(hope);
    NoProgress quiet;
    SupportFinder finder(parities, lower.data(), 4, all_rows, std::vector<bool>(4, true));
    return finder.find(
        1, [&](std::size_t) { return own; }, quiet)[0];
  }
};

TEST(Support, IsGivenUpWhereThereIsNoHope) {
  const Coordinates table;
  EXPECT_EQ(table.found(nullptr).size(), 2U);
  EXPECT_EQ(table.found([](const auto& chosen, const auto&) { return chosen.size() == 1; }).size(),
            2U);
  EXPECT_TRUE(table.found([](const auto&, const auto&) { return false; }).empty());
}

TEST(Support, TellsInnerProductsOfWhatItKnows) {
  const Coordinates table;
  std::vector<double> gram;
  (void)table.found([&](const auto&, const GramOf& gram_of) {
    gram = gram_of({{}, {4}, {9}, {4, 7}});  // the constant, b, unknown, ab
    return true;
  });
  ASSERT_EQ(gram.size(), 25U);
  constexpr std::size_t missing = 4;
  const std::size_t places[] = {0, 2, missing, 3};
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = j; i < 4; ++i) {
      const bool known = places[i] != missing && places[j] != missing;
      EXPECT_NEAR(gram[i + 5 * j], known ? table.product(places[i], places[j]) : 0, 1e-9);
    }
    EXPECT_NEAR(gram[4 + 5 * j], places[j] != missing ? table.with_target(places[j]) : 0, 1e-9);
  }
  EXPECT_NEAR(gram[24], all_rows, 1e-9);
}

}  // namespace
}  // namespace fsieve
