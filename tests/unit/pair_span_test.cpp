// What products of up to two indicators leave of other columns, beside Gram-Schmidt on the rows.
#include "span/pair_span.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "source/whole_table.h"
#include "weighted_tables.h"

namespace fsieve {
namespace {

constexpr std::size_t pair_rows = 900;

// Categories of 4, 2 and 5 levels, of which some hardly occur; a number of two values, which is a
// category too; a number, and two categories that are tested: noise, and a table of the second and
// the fourth with some noise.
MemorySource indicator_table(bool has_weights) {
  testing::Random random(21);
  testing::Table table{
      {random.codes(pair_rows, 4), random.codes(pair_rows, 2), random.codes(pair_rows, 5)},
      {4, 2, 5, 0, 0, 3, 3},
      {}};
  testing::Columns& columns = table.columns;
  columns.emplace_back();
  for (std::size_t i = 0; i < pair_rows; ++i) {
    if (columns[0][i] == 3 && i % 50 != 0) columns[0][i] = 1;
    columns[3].push_back(random.below(3) == 0 ? 7.5 : -2);
  }
  columns.push_back(random.normals(pair_rows));
  columns.push_back(random.codes(pair_rows, 3));
  columns.emplace_back();
  for (std::size_t i = 0; i < pair_rows; ++i) {
    const bool both = columns[1][i] == 1 && columns[3][i] > 0;
    columns[6].push_back(random.below(20) == 0 ? 2 : (both ? 1 : 0));
  }
  for (std::size_t i = 0; i < pair_rows; ++i) {
    table.weights.push_back(static_cast<double>(random.below(4)));
  }
  return has_weights ? testing::weighted(table) : testing::unweighted(table);
}

// The products one after another on the rows, in double precision.
class PairSpanTwin {
 public:
  PairSpanTwin(const MemorySource& source, const Design& design)
      : all_(whole_table(source)), design_(design) {
    add(std::vector<double>(pair_rows, 1));
  }

  void grow(std::size_t category) {
    const DesignFeature& feature = design_.features[category];
    const std::size_t before = indicators_.size();
    for (std::size_t c = feature.first; c < feature.last; ++c) {
      indicators_.push_back(standardised(c));
      add(indicators_.back());
    }
    for (std::size_t a = before; a < indicators_.size(); ++a) {
      for (std::size_t b = 0; b < before; ++b) {
        std::vector<double> product(pair_rows);
        for (std::size_t i = 0; i < pair_rows; ++i)
          product[i] = indicators_[a][i] * indicators_[b][i];
        add(std::move(product));
      }
    }
  }

  [[nodiscard]] double left_of(std::size_t feature) const {
    double most = 0;
    for (std::size_t c = design_.features[feature].first; c < design_.features[feature].last; ++c) {
      std::vector<double> left = standardised(c);
      take_out(left);
      most = std::max(most, square(left));
    }
    return most;
  }
  [[nodiscard]] std::size_t rank() const { return basis_.size(); }

 private:
  [[nodiscard]] std::vector<double> standardised(std::size_t c) const {
    std::vector<double> values(pair_rows);
    design_.standardised(all_, 0, pair_rows, c, values.data());
    return values;
  }
  [[nodiscard]] double inner(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < pair_rows; ++i) {
      sum += (all_.weights.empty() ? 1 : all_.weights[i]) * a[i] * b[i];
    }
    return sum / design_.weight;
  }
  [[nodiscard]] double square(const std::vector<double>& a) const { return inner(a, a); }
  void take_out(std::vector<double>& values) const {
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& function : basis_) {
        const double on_it = inner(values, function);
        for (std::size_t i = 0; i < pair_rows; ++i) values[i] -= on_it * function[i];
      }
    }
  }
  void add(std::vector<double> values) {
    take_out(values);
    const double norm = std::sqrt(square(values));
    if (norm < 0.1) return;
    for (double& value : values) value /= norm;
    basis_.push_back(std::move(values));
  }

  Block all_;
  const Design& design_;
  std::vector<std::vector<double>> indicators_;
  std::vector<std::vector<double>> basis_;
};

class PairSpans : public ::testing::TestWithParam<bool> {};

TEST_P(PairSpans, LeaveOfAFeatureWhatTheirProductsLeave) {
  NoProgress progress;
  const MemorySource source = indicator_table(GetParam());
  const Design design = make_design(source, progress);
  const std::vector<std::size_t> tested{4, 0, 6, 3, 5};
  const Judge judge{Rule::adjusted, 0.1, design.weight, design.dimensions};
  PairSpan span(IndicatorProducts(source, design, {2, 0, 3, 1}, tested), judge);
  PairSpanTwin twin(source, design);
  for (const std::size_t category : {2, 0, 3, 1}) {
    span.grow();
    twin.grow(category);
    EXPECT_EQ(span.rank(), twin.rank());
    for (std::size_t t = 0; t < tested.size(); ++t) {
      EXPECT_NEAR(span.left_of(t), twin.left_of(tested[t]), 1e-4) << tested[t];
    }
  }
  EXPECT_TRUE(span.told());
  EXPECT_GT(span.rank(), 30U);
  EXPECT_LT(span.left_of(3), 1e-4);  // a member
}

INSTANTIATE_TEST_SUITE_P(Weights, PairSpans, ::testing::Bool());

}  // namespace
}  // namespace fsieve
