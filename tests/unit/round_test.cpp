// A round of the forward search beside a twin that makes every function and takes the span out of
// it one by one.
#include "methods/forward/round.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/families.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using Function = std::vector<double>;

Function times(const Function& a, const double* b) {
  Function product(a);
  for (std::size_t i = 0; i < a.size(); ++i) product[i] *= b[i];
  return product;
}

double dot(const Function& a, const Function& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Everything by the definition.
class PlainRound {
 public:
  PlainRound(const SupervisedData& data, int depth) : data_(data), depth_(depth) {
    const std::size_t n = data.rows();
    span_.push_back(Function(n, 1 / std::sqrt(static_cast<double>(n))));
    products_.push_back({0, Function(n, 1.0)});
    const std::vector<double> label = data.label.centred_columns();
    for (std::size_t y = 0; y < data.label.columns(); ++y) {
      residual_.emplace_back(label.begin() + static_cast<std::ptrdiff_t>(y * n),
                             label.begin() + static_cast<std::ptrdiff_t>((y + 1) * n));
    }
  }

  [[nodiscard]] std::vector<Function> with_products(std::size_t feature) const {
    std::vector<Function> functions;
    for (const auto& [factors, values] : products_) {
      for (const Function& own : alone(feature)) functions.push_back(times(values, own.data()));
    }
    return functions;
  }
  [[nodiscard]] std::vector<Function> alone(std::size_t feature) const {
    return columns(data_.design.features[feature].first, data_.plain_end(feature));
  }
  [[nodiscard]] std::vector<Function> curved(std::size_t feature) const {
    return columns(data_.design.features[feature].first, data_.design.features[feature].last);
  }
  [[nodiscard]] std::vector<Function> of_subset(const std::vector<std::size_t>& features) const {
    std::vector<Function> functions{Function(data_.rows(), 1.0)};
    for (const std::size_t feature : features) {
      const std::size_t earlier = functions.size();
      for (std::size_t k = 0; k < earlier; ++k) {
        for (const Function& own : alone(feature)) {
          functions.push_back(times(functions[k], own.data()));
        }
      }
    }
    functions.erase(functions.begin());
    return functions;
  }

  [[nodiscard]] Explained explained(const std::vector<Function>& functions, double trivial) const {
    Explained result;
    for (const Function& added : new_functions(functions, trivial)) {
      ++result.rank;
      for (const Function& y : residual_) result.caught += std::pow(dot(added, y), 2);
    }
    return result;
  }

  // `family`: products with all columns of the features will follow, not with the plain ones only.
  void take(const std::vector<std::size_t>& features, const std::vector<Function>& functions,
            double trivial, bool family = false) {
    for (const Function& added : new_functions(functions, trivial)) {
      for (Function& y : residual_) {
        const double inner = dot(added, y);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] -= inner * added[i];
      }
      span_.push_back(added);
    }
    for (const std::size_t feature : features) {
      const std::size_t earlier = products_.size();
      for (std::size_t k = 0; k < earlier; ++k) {
        if (products_[k].first + 1 >= depth_) continue;
        for (const Function& own : family ? curved(feature) : alone(feature)) {
          products_.emplace_back(products_[k].first + 1, times(products_[k].second, own.data()));
        }
      }
    }
  }

  [[nodiscard]] std::size_t rank() const { return span_.size(); }

 private:
  [[nodiscard]] std::vector<Function> columns(std::size_t first, std::size_t last) const {
    std::vector<Function> functions;
    for (std::size_t c = first; c < last; ++c) {
      functions.emplace_back(data_.column(c), data_.column(c) + data_.rows());
    }
    return functions;
  }

  // What is new in the functions, orthonormal: Gram-Schmidt, three times.
  [[nodiscard]] std::vector<Function> new_functions(const std::vector<Function>& functions,
                                                    double trivial) const {
    std::vector<Function> all = span_;
    for (Function function : functions) {
      for (int pass = 0; pass < 3; ++pass) {
        for (const Function& q : all) {
          const double inner = dot(q, function);
          for (std::size_t i = 0; i < q.size(); ++i) function[i] -= inner * q[i];
        }
      }
      const double square = dot(function, function);
      if (square <= trivial * static_cast<double>(data_.rows())) continue;
      for (double& value : function) value /= std::sqrt(square);
      all.push_back(function);
    }
    return {all.begin() + static_cast<std::ptrdiff_t>(span_.size()), all.end()};
  }

  const SupervisedData& data_;
  int depth_;
  std::vector<Function> span_;
  std::vector<Function> residual_;
  std::vector<std::pair<int, Function>> products_;
};

struct Labelled {
  std::unique_ptr<MemorySource> source;
  SupervisedData data;
};

Labelled labelled(const Columns& columns, const std::vector<std::size_t>& levels) {
  const MemorySource all = testing::table(columns, levels);
  Schema schema = all.schema();
  schema.label = schema.features.back();
  schema.features.pop_back();
  Labelled result;
  result.source = std::make_unique<MemorySource>(
      std::move(schema), std::vector<double>(all.in_memory().begin(), all.in_memory().end()),
      all.rows());
  NoProgress progress;
  result.data = make_supervised_data(*result.source, Task::automatic, progress);
  return result;
}

// Are the best `reach` features of one column among those that are estimated together, at no less
// than they are worth?
void expect_best_among_estimates(const Round& round, std::size_t reach, bool products) {
  if (products && !round.columns_have_products()) return;
  const auto steps = products ? round.columns_with_products(reach) : round.columns_alone(reach);
  std::vector<std::pair<double, std::size_t>> exact;
  for (const std::size_t feature : round.free()) {
    if (!round.is_among_columns(feature)) continue;
    const Catch worth = products ? round.with_products(feature) : round.alone(feature);
    if (worth.functions > 0) exact.emplace_back(-worth.gain, feature);
  }
  std::sort(exact.begin(), exact.end());
  exact.resize(std::min(exact.size(), reach));
  for (const auto& best : exact) {
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const EstimatedStep& step) {
      return step.feature == best.second;
    });
    ASSERT_NE(found, steps.end());
    ASSERT_GE(found->most, -best.first);
  }
}

// What is remembered of pairs gives what they are worth beside any span.
void expect_estimates(const Round& round, const std::vector<std::vector<std::size_t>>& pairs,
                      PairMemory& memory, const std::vector<Catch>& catches) {
  std::vector<bool> told(pairs.size());
  for (const EstimatedStep& step : round.estimate_pairs(pairs, memory)) {
    told[step.feature] = true;
    if (step.no_guide) continue;
    const double error = step.most - step.gain;
    EXPECT_NEAR(catches[step.feature].gain, step.gain, error + 1e-8);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) EXPECT_TRUE(told[k] || catches[k].functions == 0);
}

// Walks through a random round and compares every candidate at every step.
void compare(const SupervisedData& data, int depth, std::uint64_t seed) {
  Random random(seed);
  Round round(data, data.features, depth);
  PlainRound plain(data, depth);
  std::vector<std::size_t> free = data.features;
  PairMemory memory;
  const auto expect = [&](const Catch& fast, const Explained& slow) {
    ASSERT_EQ(fast.functions, slow.rank);
    ASSERT_NEAR(fast.caught, slow.caught, 1e-8 * (1 + slow.caught));
  };
  const auto estimated = [&](const Catch& fast, const Explained& slow) {
    if (std::isinf(fast.error)) return;
    ASSERT_EQ(fast.functions, slow.rank);
    ASSERT_NEAR(fast.caught, slow.caught, fast.error + 1e-8);
  };
  for (int step = 0; step < 5 && free.size() > 3 && round.open(); ++step) {
    round.update_estimates();
    for (const std::size_t reach : {1, 3}) {
      expect_best_among_estimates(round, reach, false);
      expect_best_among_estimates(round, reach, true);
    }
    for (const std::size_t feature : free) {
      const Explained alone = plain.explained(plain.alone(feature), trivial_single);
      expect(round.alone(feature), alone);
      estimated(round.estimate_alone(feature), alone);
      if (data.curved(feature)) {
        const Explained curved = plain.explained(plain.curved(feature), trivial_single);
        expect(round.curved(feature), curved);
        estimated(round.estimate_curved(feature), curved);
      }
      if (!round.products_fit(feature)) continue;
      const Explained products = plain.explained(plain.with_products(feature), trivial_product);
      expect(round.with_products(feature), products);
      estimated(round.estimate_with_products(feature), products);
    }
    const std::vector<std::vector<std::size_t>> subsets{{free[0], free[2]}, {free[1], free[2]}};
    const std::vector<Catch> catches = round.of_subsets(subsets);
    for (std::size_t k = 0; k < 2; ++k) {
      expect(catches[k], plain.explained(plain.of_subset(subsets[k]), trivial_product));
    }
    if (round.are_pairs_of_columns(subsets)) expect_estimates(round, subsets, memory, catches);
    const std::size_t taken = free[random.below(free.size())];
    if (step == 1 && taken != free[0]) {
      plain.take({free[0], taken}, plain.of_subset({free[0], taken}), trivial_product);
      round.take_subset({free[0], taken});
      std::erase(free, free[0]);
    } else if (step == 0 && data.curved(taken)) {
      plain.take({taken}, plain.curved(taken), trivial_single, true);
      round.take_curved(taken);
    } else if (step != 2 && round.products_fit(taken)) {
      plain.take({taken}, plain.with_products(taken), trivial_product);
      round.take_with_products(taken);
    } else {
      plain.take({taken}, plain.alone(taken), trivial_single);
      round.take_alone(taken);
    }
    std::erase(free, taken);
    if (step % 2 == 0 && free.size() > 3) {  // another one before estimates are asked for
      const std::size_t next = free[random.below(free.size())];
      plain.take({next}, plain.alone(next), trivial_single);
      round.take_alone(next);
      std::erase(free, next);
    }
    ASSERT_EQ(round.rank(), plain.rank());
  }
}

TEST(Round, EstimatesOfSingleColumnsAreOfferedTogether) {
  Random random(4);
  Columns columns{random.normals(90), random.normals(90),  random.signs(90, 0.3),
                  random.normals(90), random.codes(90, 3), random.signs(90)};
  const Labelled table = labelled(columns, {0, 0, 0, 0, 3});
  const SupervisedData& data = table.data;
  for (const int depth : {1, 2}) {
    Round round(data, data.features, depth);
    EXPECT_FALSE(round.is_among_columns(data.features[4]));  // it has two
    const std::size_t taken = data.features[1];
    round.take_alone(taken);
    round.update_estimates();
    EXPECT_EQ(round.columns_have_products(), true);
    for (const auto& steps : {round.columns_alone(5), round.columns_with_products(5)}) {
      EXPECT_EQ(steps.size(), 3U);
      for (const EstimatedStep& step : steps) EXPECT_NE(step.feature, taken);
    }
  }
}

// Where the span is large it is taken out of several columns together, before they are taken.
TEST(Round, ColumnsThatAreMadeReadyTogetherAreTakenAsOthersAre) {
  constexpr std::size_t n = 3000;
  Random random(5);
  Columns columns;
  for (int j = 0; j < 90; ++j) columns.push_back(random.normals(n));
  for (int j = 0; j < 10; ++j) {  // little is left of them beside others
    columns.push_back(testing::sum(1, columns[j], 0.1, random.normals(n)));
  }
  columns.push_back(random.codes(n, 3));
  const Labelled table = labelled(columns, std::vector<std::size_t>(columns.size(), 0));
  const SupervisedData& data = table.data;
  Round round(data, data.features, 1);
  Round plain(data, data.features, 1, Round::Estimates::none);
  for (std::size_t step = 0; step < 100; ++step) {
    const std::size_t feature = data.features[step * 37 % 100];
    round.take_alone(feature);
    plain.take_alone(feature);
    ASSERT_EQ(round.rank(), plain.rank());
    ASSERT_NEAR(round.left(), plain.left(), 1e-10 * plain.total());
  }
  const Span& span = round.span();
  const std::vector<double> inner = span.inner_products(span.functions(), span.rank());
  for (std::size_t k = 0; k < inner.size(); ++k) {
    EXPECT_NEAR(inner[k], k % (span.rank() + 1) == 0 ? 1 : 0, 1e-12);
  }
}

TEST(Round, IsItsTwin) {
  constexpr std::size_t n = 160;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    Columns columns;
    std::vector<std::size_t> levels;
    for (int j = 0; j < 4; ++j) columns.push_back(random.normals(n));
    for (int j = 0; j < 3; ++j) columns.push_back(random.signs(n, 0.3));
    columns.push_back(columns[1]);  // a copy
    columns.push_back(testing::sum(1, columns[0], 2, columns[2]));
    levels.assign(columns.size(), 0);
    if (seed % 2 == 0) {
      for (const std::size_t count : {3, 5, 4}) {
        columns.push_back(random.codes(n, count));
        levels.push_back(count);
      }
      // A feature of rare levels, and one that is a function of it.
      std::vector<double> rare(n, 0.0);
      std::vector<double> coarse(n, 0.0);
      for (std::size_t i = 0; i < 12; ++i) {
        rare[i * 7] = static_cast<double>(1 + i % 3);
        coarse[i * 7] = rare[i * 7] > 1 ? 1 : 0;
      }
      columns.push_back(rare);
      levels.push_back(4);
      columns.push_back(coarse);
      levels.push_back(2);
    }
    columns.push_back(seed % 3 == 0   ? random.normals(n)
                      : seed % 3 == 1 ? random.signs(n)
                                      : random.codes(n, 3));
    const Labelled table = labelled(columns, levels);
    for (const int depth : {1, 2, 3}) {
      compare(table.data, depth, seed * 10);
      compare(with_curves(table.data, seed % 2 == 0), depth, seed * 10);
    }
    // Some features are no candidates.
    SupervisedData fewer = table.data;
    fewer.features.erase(fewer.features.begin() + 3);
    fewer.features.erase(fewer.features.begin());
    compare(fewer, 2, seed);
  }
}

}  // namespace
}  // namespace fsieve
