// The kernels that score all subsets, beside eq. (7) of 000 written out with plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "data/levels.h"
#include "measure/span_score.h"
#include "methods/union/scorer.h"
#include "methods/union/unite.h"
#include "supervised_tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Loaded;
using testing::Random;
using Subset = std::vector<std::size_t>;

// Features and a label; classes 0 means a regression.
struct Case {
  std::string name;
  Columns columns;
  std::vector<std::size_t> levels;
  std::vector<double> y;
};

Loaded load(const Case& c, Task task) { return testing::load(c.columns, c.y, task, c.levels); }

// What eq. (7) says, and the same for classes and numbers: parities of J in standard order, made
// orthogonal one after another, both sums over S.
struct Twin {
  std::vector<std::vector<long double>> psi;
  std::size_t n;

  Twin(const Case& c, const Subset& features) : n(c.y.size()) {
    std::vector<std::vector<long double>> parities{std::vector<long double>(n, 1)};
    for (const std::size_t j : features) {
      const std::size_t before = parities.size();
      for (const auto& column : design_columns(c, j)) {
        for (std::size_t k = 0; k < before; ++k) {
          std::vector<long double> product(n);
          for (std::size_t i = 0; i < n; ++i) product[i] = parities[k][i] * column[i];
          parities.push_back(product);
        }
      }
    }
    for (auto& parity : parities) add(parity);
  }

  // Standardised; a categorical feature has an indicator per level but the first.
  static std::vector<std::vector<long double>> design_columns(const Case& c, std::size_t j) {
    std::vector<std::vector<long double>> result;
    std::vector<std::vector<long double>> raw;
    const std::vector<double>& x = c.columns[j];
    if (j < c.levels.size() && c.levels[j] > 0) {
      for (std::size_t level = 1; level < c.levels[j]; ++level) {
        std::vector<long double> indicator;
        for (const double v : x) indicator.push_back(v == static_cast<double>(level) ? 1 : 0);
        raw.push_back(indicator);
      }
    } else {
      raw.emplace_back(x.begin(), x.end());
    }
    for (auto& column : raw) {
      const auto rows = static_cast<long double>(x.size());
      long double mean = 0;
      long double square = 0;
      for (const long double v : column) mean += v / rows;
      for (const long double v : column) square += (v - mean) * (v - mean) / rows;
      if (square == 0) continue;
      for (long double& v : column) v = (v - mean) / std::sqrt(square);
      result.push_back(column);
    }
    return result;
  }

  long double inner(const std::vector<long double>& a, const std::vector<long double>& b) const {
    long double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum / static_cast<long double>(n);
  }

  void add(std::vector<long double>& parity) {
    const long double norm = inner(parity, parity);
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& kept : psi) {
        const long double a = inner(kept, parity);
        for (std::size_t i = 0; i < n; ++i) parity[i] -= a * kept[i];
      }
    }
    const long double left = inner(parity, parity);
    if (left <= 1e-10L * norm) return;
    for (long double& v : parity) v /= std::sqrt(left);
    psi.push_back(parity);
  }

  double score(const Label& label) const {
    const auto rows = static_cast<long double>(n);
    const Measure measure = measure_of(label);
    std::vector<std::vector<long double>> ys;
    if (measure == Measure::bayes_accuracy) {
      for (std::size_t k = 0; k < label.classes.size(); ++k) {
        std::vector<long double> indicator;
        for (const std::size_t code : label.codes) indicator.push_back(code == k ? 1 : 0);
        ys.push_back(indicator);
      }
    } else {
      ys.emplace_back(label.numbers.begin(), label.numbers.end());
    }
    std::vector<std::vector<long double>> f;
    for (const auto& y : ys) {
      f.emplace_back();
      for (const auto& kept : psi) f.back().push_back(inner(y, kept));
    }
    long double mean = 0;
    if (measure == Measure::q2) {
      for (const long double v : ys[0]) mean += v / rows;
    }
    long double total = 0;
    long double others = 0;
    for (std::size_t i = 0; i < n; ++i) {
      long double h = 0;
      for (const auto& kept : psi) h += kept[i] * kept[i] / rows;
      long double best = -1e300L;
      for (std::size_t k = 0; k < ys.size(); ++k) {
        long double fitted = 0;
        for (std::size_t s = 0; s < psi.size(); ++s) fitted += f[k][s] * psi[s][i];
        if (measure == Measure::m_n) total += std::abs(fitted - h * ys[k][i]);
        best = std::max(best, fitted - h * ys[k][i]);
        if (measure != Measure::q2) continue;
        const long double from_others = (ys[k][i] - mean) * rows / (rows - 1);
        const long double residual = 1 - h > 1e-10L ? (ys[k][i] - fitted) / (1 - h) : from_others;
        total += residual * residual;
        others += from_others * from_others;
      }
      if (measure == Measure::bayes_accuracy) total += best;
    }
    if (measure == Measure::q2) return static_cast<double>(1 - total / others);
    return static_cast<double>(total / (rows - 1));
  }
};

void each_subset(const Subset& features, std::size_t size, Subset& chosen, std::size_t from,
                 const std::function<void(const Subset&)>& body) {
  if (chosen.size() == size) return body(chosen);
  for (std::size_t k = from; k < features.size(); ++k) {
    chosen.push_back(features[k]);
    each_subset(features, size, chosen, k + 1, body);
    chosen.pop_back();
  }
}

std::vector<Subset> subsets(const Subset& features, std::size_t size) {
  std::vector<Subset> all;
  Subset chosen;
  each_subset(features, size, chosen, 0, [&](const Subset& subset) { all.push_back(subset); });
  return all;
}

std::map<Subset, double> all_scores(const SubsetScorer& scorer, const SupervisedData& data,
                                    int size) {
  NoProgress progress;
  Ranking ranking(data.design.features.size(), 1U << 20U, 0);
  scorer.score_all(size, ranking, progress);
  std::map<Subset, double> scores;
  for (const ScoredSubset& subset : ranking.best()) scores[subset.features] = subset.score;
  return scores;
}

// Scores are compared relative to 1 or, where q2 is far below zero, to themselves.
double tolerance(double value) { return 1e-9 * std::max(1.0, std::abs(value)); }

void check_scorer(const Case& c, const Loaded& loaded, const SubsetScorer& scorer, int size) {
  const auto scores = all_scores(scorer, loaded.data, size);
  const auto all = subsets(loaded.data.features, static_cast<std::size_t>(size));
  ASSERT_EQ(scores.size(), all.size()) << c.name << " size " << size;
  for (const Subset& subset : all) {
    const double expected = Twin(c, subset).score(loaded.data.label);
    ASSERT_NEAR(scores.at(subset), expected, tolerance(expected))
        << c.name << " size " << size << " classes " << loaded.data.label.classes.size() << " {"
        << ::testing::PrintToString(subset) << "}";
    ASSERT_NEAR(scorer.score(subset), expected, tolerance(expected)) << c.name;
  }
}

std::vector<double> zero_one(std::vector<double> signs) {
  for (double& v : signs) v = v > 0 ? 1 : 0;
  return signs;
}

Columns columns_of_kind(const std::string& kind, std::size_t n, Random& random,
                        std::vector<std::size_t>& levels) {
  Columns x;
  if (kind == "real") {
    for (int k = 0; k < 6; ++k) x.push_back(random.normals(n));
  } else if (kind == "signs") {
    for (int k = 0; k < 7; ++k) x.push_back(random.signs(n, 0.2 + 0.1 * k));
  } else if (kind == "zero-one and a constant") {
    for (int k = 0; k < 7; ++k) x.push_back(zero_one(random.signs(n, 0.3 + 0.05 * k)));
    x[3].assign(n, 5.0);
  } else if (kind == "copies of signs") {
    for (int k = 0; k < 4; ++k) x.push_back(random.signs(n));
    x.push_back(x[1]);
    x.push_back(testing::product(x[0], x[1]));
    x.push_back(x[2]);
    for (double& v : x.back()) v = -v;
  } else if (kind == "collinear") {
    for (int k = 0; k < 3; ++k) x.push_back(random.normals(n));
    x.push_back(x[1]);
    x.push_back(testing::sum(2, x[0], -1, x[1]));
    x.push_back(testing::product(x[0], x[2]));
    x.push_back(testing::sum(1, x[2], 1e-4, random.normals(n)));
  } else if (kind == "categorical") {
    levels = {3, 4, 2, 5, 3, 2};
    for (const std::size_t count : levels) x.push_back(random.codes(n, count));
    x.push_back(random.signs(n));
  } else if (kind == "mixed") {
    levels = {3, 0, 0, 2, 0, 4};
    x.push_back(random.codes(n, 3));
    x.push_back(random.normals(n));
    x.push_back(random.signs(n));
    x.push_back(random.codes(n, 2));
    x.push_back(random.normals(n));
    x.push_back(random.codes(n, 4));
  }
  return x;
}

std::vector<double> label_of(const Columns& x, std::size_t classes, Random& random) {
  const std::size_t n = x[0].size();
  std::vector<double> y = random.normals(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = 0.7 * y[i] + x[0][i] * x[1][i] + 0.5 * x[2][i];
  if (classes == 0) return y;
  std::vector<double> sorted = y;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> codes;
  for (const double v : y) {
    std::size_t code = 0;
    while (code + 1 < classes && v >= sorted[(code + 1) * n / classes]) ++code;
    codes.push_back(static_cast<double>(code));
  }
  return codes;
}

class Kinds : public ::testing::TestWithParam<std::string> {};

TEST_P(Kinds, EveryKernelIsEquationSeven) {
  const std::string kind = GetParam();
  for (const std::size_t n : {std::size_t{11}, std::size_t{90}, std::size_t{333}}) {
    for (const std::size_t classes : {2, 3, 5, 0}) {
      Random random(n * 10 + classes);
      Case c{kind, {}, {}, {}};
      c.columns = columns_of_kind(kind, n, random, c.levels);
      c.y = label_of(c.columns, classes, random);
      const Loaded loaded = load(c, classes == 0 ? Task::regression : Task::classification);
      const auto projection = make_projection_scorer(loaded.data);
      const int most = n == 333 ? 2 : kind == "categorical" || kind == "mixed" ? 3 : 4;
      for (int size = 1; size <= most; ++size) check_scorer(c, loaded, *projection, size);
      if (!all_discrete(loaded.data, 0)) continue;
      const auto cells = make_cell_scorer(loaded.data, 0);
      for (int size = 1; size <= (n == 90 ? 4 : n == 11 ? 6 : 3); ++size) {
        check_scorer(c, loaded, *cells, size);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Score, Kinds,
                         ::testing::Values("real", "signs", "zero-one and a constant",
                                           "copies of signs", "collinear", "categorical", "mixed"),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
                           return name;
                         });

// More rows and features than one tile, word or chunk holds, and larger subsets.
TEST(Score, CellsOfManyRowsAndFeatures) {
  for (const std::size_t classes : {2, 3}) {
    Random random(7 + classes);
    Case c{"many", {}, {}, {}};
    for (int k = 0; k < 40; ++k) c.columns.push_back(random.signs(1500, 0.3 + 0.01 * k));
    c.levels.assign(40, 0);
    for (const std::size_t j : {4, 17}) {
      c.levels[j] = j == 4 ? 3 : 20;
      c.columns[j] = random.codes(1500, c.levels[j]);
    }
    c.y = label_of(c.columns, classes, random);
    const Loaded loaded = load(c, Task::classification);
    const auto cells = make_cell_scorer(loaded.data, 0);
    for (const int size : {2, 3}) {
      const auto scores = all_scores(*cells, loaded.data, size);
      const auto all = subsets(loaded.data.features, static_cast<std::size_t>(size));
      ASSERT_EQ(scores.size(), all.size());
      for (const Subset& subset : all) ASSERT_NEAR(scores.at(subset), cells->score(subset), 1e-12);
    }
  }
  Random random(3);
  Case c{"depth", {}, {}, {}};
  for (int k = 0; k < 12; ++k) c.columns.push_back(random.signs(700));
  c.y = label_of(c.columns, 2, random);
  const Loaded loaded = load(c, Task::classification);
  const auto cells = make_cell_scorer(loaded.data, 0);
  for (const int size : {4, 5, 6}) {
    const auto scores = all_scores(*cells, loaded.data, size);
    ASSERT_EQ(scores.size(), subsets(loaded.data.features, static_cast<std::size_t>(size)).size());
    for (const auto& [subset, value] : scores) ASSERT_NEAR(value, cells->score(subset), 1e-12);
  }
}

// Where the table of the next smaller subsets would be too large, counts are made again.
TEST(Score, CellsWithoutTheLargestTable) {
  for (const std::size_t classes : {2, 3}) {
    Random random(11 + classes);
    Case c{"untabled", {}, {}, {}};
    for (int k = 0; k < 45; ++k) c.columns.push_back(random.signs(150, 0.4));
    c.y = label_of(c.columns, classes, random);
    const Loaded loaded = load(c, Task::classification);
    const auto tabled = make_cell_scorer(loaded.data, 0);
    const auto untabled = make_cell_scorer(loaded.data, 0, 0.0);
    for (const int size : {2, 3, 4}) {
      EXPECT_EQ(all_scores(*tabled, loaded.data, size), all_scores(*untabled, loaded.data, size));
    }
  }
}

TEST(Score, ProjectionOfManyFeatures) {
  for (const std::size_t classes : {2, 4, 0}) {
    Random random(70 + classes);
    Case c{"many", {}, {}, {}};
    for (int k = 0; k < 70; ++k) c.columns.push_back(random.normals(130));
    c.y = label_of(c.columns, classes, random);
    const Loaded loaded = load(c, classes == 0 ? Task::regression : Task::classification);
    const auto projection = make_projection_scorer(loaded.data);
    const auto scores = all_scores(*projection, loaded.data, 2);
    ASSERT_EQ(scores.size(), 70U * 69 / 2);
    for (const auto& [subset, value] : scores) {
      ASSERT_NEAR(value, projection->score(subset), tolerance(value));
    }
  }
}

TEST(Score, KernelsAgreeOnSigns) {
  for (const std::size_t classes : {2, 3}) {
    Random random(classes);
    Case c{"signs", {}, {}, {}};
    for (int k = 0; k < 40; ++k) c.columns.push_back(random.signs(200, 0.4));
    c.columns.push_back(c.columns[3]);
    c.y = label_of(c.columns, classes, random);
    const Loaded loaded = load(c, Task::classification);
    const auto cells = make_cell_scorer(loaded.data, 0);
    const auto projection = make_projection_scorer(loaded.data);
    for (const int size : {1, 2, 3}) {
      const auto a = all_scores(*cells, loaded.data, size);
      const auto b = all_scores(*projection, loaded.data, size);
      ASSERT_EQ(a.size(), b.size());
      for (const auto& [subset, value] : a) ASSERT_NEAR(value, b.at(subset), 1e-9);
    }
  }
}

// score = ½ [(n − rank)/(n − 1) + M_n], where the two classes are seen as two of three.
TEST(Score, BayesAccuracyOrdersTwoClassesAsTheMeasureDoes) {
  Random random(5);
  Case c{"two", {}, {}, {}};
  for (int k = 0; k < 8; ++k) c.columns.push_back(random.signs(150));
  for (int k = 0; k < 4; ++k) c.columns.push_back(random.normals(150));
  c.y = label_of(c.columns, 2, random);
  Loaded loaded = load(c, Task::classification);
  const Label two = loaded.data.label;
  Label three = two;
  three.classes.push_back("none");
  for (const Subset& subset : subsets(loaded.data.features, 2)) {
    const Twin twin(c, subset);
    const double rank = static_cast<double>(twin.psi.size());
    const double expected = 0.5 * ((150 - rank) / 149 + twin.score(two));
    ASSERT_NEAR(twin.score(three), expected, 1e-12);
    loaded.data.label = three;
    ASSERT_NEAR(make_projection_scorer(loaded.data)->score(subset), expected, 1e-9);
    loaded.data.label = two;
  }
}

TEST(Score, BinsAreCategories) {
  Random random(6);
  Case real{"bins", {}, {}, {}};
  for (int k = 0; k < 5; ++k) real.columns.push_back(random.normals(101));
  for (double& v : real.columns[4]) v = std::max(v, 0.9);  // most values are the smallest
  real.y = label_of(real.columns, 2, random);
  const Loaded loaded = load(real, Task::classification);
  Case binned = real;
  for (std::size_t j = 0; j < 5; ++j) {
    const Levels levels = levels_of(loaded.data, j, 4);
    ASSERT_GE(levels.count, 2U);
    EXPECT_EQ(levels.count == 4, j < 4);
    binned.levels.push_back(levels.count);
    binned.columns[j].assign(levels.codes.begin(), levels.codes.end());
    for (std::size_t a = 0; a < 101; ++a) {
      for (std::size_t b = 0; b < 101; ++b) {
        EXPECT_TRUE(real.columns[j][a] > real.columns[j][b] || levels.codes[a] <= levels.codes[b]);
      }
    }
  }
  const Loaded categorical = load(binned, Task::classification);
  for (const int size : {1, 2, 3}) {
    EXPECT_EQ(all_scores(*make_cell_scorer(loaded.data, 4), loaded.data, size),
              all_scores(*make_cell_scorer(categorical.data, 0), categorical.data, size));
    const auto a = all_scores(*make_l2_scorer(loaded.data, 4), loaded.data, size);
    const auto b = all_scores(*make_l2_scorer(categorical.data, 0), categorical.data, size);
    for (const auto& [subset, value] : a) EXPECT_NEAR(value, b.at(subset), 1e-9);
  }
}

double l2_twin(const Case& c, const Label& label, const Subset& subset) {
  const std::size_t n = c.y.size();
  const std::vector<double> y = label.centred_columns();
  std::vector<std::vector<long double>> parities{std::vector<long double>(n, 1)};
  for (const std::size_t j : subset) {
    const std::size_t before = parities.size();
    for (const auto& column : Twin::design_columns(c, j)) {
      for (std::size_t k = 0; k < before; ++k) {
        parities.push_back(parities[k]);
        for (std::size_t i = 0; i < n; ++i) parities.back()[i] *= column[i];
      }
    }
  }
  long double total = 0;
  for (std::size_t s = 1; s < parities.size(); ++s) {
    for (std::size_t l = 0; l < y.size(); l += n) {
      long double f = 0;
      for (std::size_t i = 0; i < n; ++i) f += y[l + i] * parities[s][i];
      f /= static_cast<long double>(n);
      total += f * f;
    }
  }
  return static_cast<double>(total);
}

TEST(Score, SquaredCoefficients) {
  for (const std::string kind : {"real", "signs", "mixed", "categorical"}) {
    for (const std::size_t classes : {2, 3, 0}) {
      Random random(classes + 40);
      Case c{kind, {}, {}, {}};
      c.columns = columns_of_kind(kind, 60, random, c.levels);
      c.y = label_of(c.columns, classes, random);
      const Loaded loaded = load(c, classes == 0 ? Task::regression : Task::classification);
      const auto scorer = make_l2_scorer(loaded.data, 0);
      const auto untabled = make_l2_scorer(loaded.data, 0, 0.0);
      for (int size = 1; size <= 4; ++size) {
        const auto scores = all_scores(*scorer, loaded.data, size);
        const auto again = all_scores(*untabled, loaded.data, size);
        const auto all = subsets(loaded.data.features, static_cast<std::size_t>(size));
        ASSERT_EQ(scores.size(), all.size());
        for (const Subset& subset : all) {
          const double expected = l2_twin(c, loaded.data.label, subset);
          ASSERT_NEAR(scores.at(subset), expected, tolerance(expected));
          ASSERT_NEAR(again.at(subset), expected, tolerance(expected));
          ASSERT_NEAR(scorer->score(subset), expected, tolerance(expected));
        }
      }
    }
  }
}

}  // namespace
}  // namespace fsieve
