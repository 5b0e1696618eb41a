// The junta learner beside twins written from the formulas of 004 alone: sums over samples, all
// subsets one by one.
#include "fsieve/junta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "fsieve/error.h"
#include "unit/tables.h"

namespace fsieve {
namespace {

using testing::Columns;
using testing::Random;
using Subset = std::vector<std::size_t>;

// Features x1, x2, … of ±1 and a label y of ±1.
struct Data {
  Columns x;
  std::vector<double> y;

  [[nodiscard]] std::size_t rows() const { return y.size(); }
  [[nodiscard]] MemorySource source() const {
    Schema schema;
    std::vector<double> values;
    for (std::size_t j = 0; j < x.size(); ++j) {
      schema.features.push_back({fmt::format("x{}", j + 1), j, ColumnKind::numeric, {}});
      values.insert(values.end(), x[j].begin(), x[j].end());
    }
    schema.label = Column{"y", x.size(), ColumnKind::numeric, {}};
    values.insert(values.end(), y.begin(), y.end());
    return {schema, values, rows()};
  }
};

// Biased features and a noisy function of the first three; the last is a copy of the second.
Data random_data(Random& random, std::size_t n, std::size_t d, double noise) {
  Data data;
  for (std::size_t j = 0; j < d; ++j)
    data.x.push_back(random.signs(n, 0.2 + 0.6 * random.uniform()));
  if (d > 4) data.x[d - 1] = data.x[1];
  for (std::size_t j = 0; j < d; ++j) {
    data.x[j][0] = 1;  // no constants
    data.x[j][1] = -1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double value = data.x[0][i] * data.x[1 % d][i] > 0 || data.x[2 % d][i] > 0 ? 1 : -1;
    data.y.push_back(random.uniform() < noise ? -value : value);
  }
  data.y[0] = 1;
  data.y[1] = -1;
  return data;
}

// The twin.

double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double value : v) sum += value;
  return sum / static_cast<double>(v.size());
}

// ψ̂_S of all S within J on the samples, by mask.
std::vector<std::vector<double>> parities(const Data& data, const Subset& subset) {
  std::vector<std::vector<double>> all;
  for (std::size_t mask = 0; mask < std::size_t{1} << subset.size(); ++mask) {
    std::vector<double> values(data.rows(), 1.0);
    for (std::size_t k = 0; k < subset.size(); ++k) {
      if ((mask >> k & 1U) == 0) continue;
      const std::vector<double>& x = data.x[subset[k]];
      const double mu = mean(x);
      const double sigma = std::sqrt(1 - mu * mu);
      for (std::size_t i = 0; i < data.rows(); ++i) values[i] *= (x[i] - mu) / sigma;
    }
    all.push_back(values);
  }
  return all;
}

// Gram-Schmidt over the samples; trivial ones become zero.
void orthogonalise(std::vector<std::vector<double>>& psi) {
  const std::size_t n = psi[0].size();
  for (std::size_t s = 0; s < psi.size(); ++s) {
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t e = 0; e < s; ++e) {
        const double inner = mean(testing::product(psi[s], psi[e]));
        for (std::size_t i = 0; i < n; ++i) psi[s][i] -= inner * psi[e][i];
      }
    }
    const double norm = std::sqrt(mean(testing::product(psi[s], psi[s])));
    for (double& value : psi[s]) value = norm > 1e-7 ? value / norm : 0;
  }
}

// 004 eq. (8).
double score_1(const Data& data, const std::vector<std::vector<double>>& psi) {
  const auto n = static_cast<double>(data.rows());
  std::vector<double> f;
  for (const auto& values : psi) f.push_back(mean(testing::product(values, data.y)));
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double inner = 0;
    for (std::size_t s = 0; s < psi.size(); ++s) {
      inner += f[s] * psi[s][i] - data.y[i] * psi[s][i] * psi[s][i] / n;
    }
    sum += std::abs(inner);
  }
  return sum / (n - 1);
}

double agreement(const Data& data, const Subset& subset) {
  std::map<std::size_t, double> lead;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    std::size_t cell = 0;
    for (const std::size_t j : subset) cell = 2 * cell + (data.x[j][i] > 0 ? 1 : 0);
    lead[cell] += data.y[i];
  }
  double sum = 0;
  for (const auto& [cell, value] : lead) sum += std::abs(value);
  return sum / static_cast<double>(data.rows());
}

double slow_score(const Data& data, const Subset& subset, const JuntaOptions& options) {
  if (options.learner == Learner::erm) return agreement(data, subset);
  auto psi = parities(data, subset);
  if (basis_of(options) == Basis::correlated) orthogonalise(psi);
  return score_1(data, psi);
}

void each_subset(std::size_t d, std::size_t k, const std::function<void(const Subset&)>& body,
                 Subset prefix = {}) {
  if (prefix.size() == k) return body(prefix);
  for (std::size_t j = prefix.empty() ? 0 : prefix.back() + 1; j < d; ++j) {
    Subset longer = prefix;
    longer.push_back(j);
    each_subset(d, k, body, longer);
  }
}

double rounded(double score) { return std::nearbyint(score * 1e12) / 1e12; }

struct Ranked {
  double score;
  Subset subset;
  bool operator<(const Ranked& other) const {
    return score != other.score ? score > other.score : subset < other.subset;
  }
};

std::vector<Ranked> slow_ranking(const Data& data, const JuntaOptions& options) {
  std::vector<Ranked> all;
  each_subset(data.x.size(), options.k, [&](const Subset& subset) {
    all.push_back({rounded(slow_score(data, subset, options)), subset});
  });
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> names(const Subset& subset) {
  std::vector<std::string> result;
  for (const std::size_t j : subset) result.push_back(fmt::format("x{}", j + 1));
  return result;
}

Model learned(const Data& data, const JuntaOptions& options) {
  NoProgress progress;
  return learn(data.source(), options, progress);
}

// What the model says of a row, from its table.
double table_value(const Model& model, const Data& data, std::size_t row, bool& prediction) {
  for (const ModelCell& cell : model.table) {
    bool here = true;
    for (std::size_t k = 0; k < model.features.size(); ++k) {
      here = here && cell.high[k] == (data.x[model.features[k].index][row] > 0);
    }
    if (!here) continue;
    prediction = cell.prediction;
    return cell.value;
  }
  ADD_FAILURE() << "no cell";
  return 0;
}

double counted_error(const Model& model, const Data& data) {
  std::size_t errors = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    bool prediction = false;
    table_value(model, data, i, prediction);
    if (prediction != (data.y[i] > 0)) ++errors;
  }
  return static_cast<double>(errors) / static_cast<double>(data.rows());
}

struct Setting {
  Learner learner;
  Basis basis;
};

class JuntaTwin : public ::testing::TestWithParam<Setting> {};

TEST_P(JuntaTwin, FindsWhatBruteForceFinds) {
  Random random(7);
  for (std::size_t run = 0; run < 60; ++run) {
    const std::size_t d = 5 + random.below(8);  // to 12
    const std::size_t n = 4 + random.below(run % 3 == 0 ? 12 : 300);
    const Data data = random_data(random, n, d, 0.2 * random.uniform());
    JuntaOptions options;
    options.learner = GetParam().learner;
    options.basis = GetParam().basis;
    options.k = 1 + run % 4;
    options.top = 1 + random.below(40);
    const Model model = learned(data, options);
    const std::vector<Ranked> slow = slow_ranking(data, options);
    ASSERT_EQ(model.candidates.size(), std::min(options.top, slow.size()));
    EXPECT_EQ(model.subsets, slow.size());
    for (std::size_t r = 0; r < model.candidates.size(); ++r) {
      ASSERT_NEAR(*model.candidates[r].score, slow[r].score, 1e-10);
      // Scores that differ in the last bits only may be rounded to different neighbours.
      const bool alone = (r == 0 || slow[r - 1].score - slow[r].score > 1e-9) &&
                         (r + 1 == slow.size() || slow[r].score - slow[r + 1].score > 1e-9);
      if (alone) {
        ASSERT_EQ(model.candidates[r].features, names(slow[r].subset));
      }
    }
    EXPECT_EQ(model.score, *model.candidates[0].score);
    EXPECT_EQ(model.subset, model.candidates[0].features);
    EXPECT_DOUBLE_EQ(model.training_error, counted_error(model, data));
  }
}

TEST_P(JuntaTwin, LargerSubsetsAndManyFeatures) {
  Random random(11);
  for (const std::size_t k : {5, 6}) {
    const Data data = random_data(random, 200, 9, 0.1);
    JuntaOptions options;
    options.learner = GetParam().learner;
    options.basis = GetParam().basis;
    options.k = k;
    const Model model = learned(data, options);
    const std::vector<Ranked> slow = slow_ranking(data, options);
    for (std::size_t r = 0; r < model.candidates.size(); ++r) {
      ASSERT_NEAR(*model.candidates[r].score, slow[r].score, 1e-10) << k;
    }
  }
  const Data wide = random_data(random, 150, 330, 0.05);  // more than one tile
  JuntaOptions options;
  options.learner = GetParam().learner;
  options.basis = GetParam().basis;
  options.k = 2;
  const Model model = learned(wide, options);
  const std::vector<Ranked> slow = slow_ranking(wide, options);
  for (std::size_t r = 0; r < model.candidates.size(); ++r) {
    ASSERT_NEAR(*model.candidates[r].score, slow[r].score, 1e-10);
  }
}

// Algorithm 1, second procedure: Σ f̂_S ψ̂_S on every sample, and its coefficients.
TEST_P(JuntaTwin, PredictorIsTheProjection) {
  Random random(3);
  for (std::size_t run = 0; run < 20; ++run) {
    const Data data = random_data(random, 20 + random.below(200), 6, 0.1);
    JuntaOptions options;
    options.learner = GetParam().learner;
    options.basis = GetParam().basis;
    options.k = 1 + run % 4;
    const Model model = learned(data, options);
    Subset subset;
    for (const ModelFeature& feature : model.features) subset.push_back(feature.index);
    auto psi = parities(data, subset);
    if (options.basis == Basis::correlated) orthogonalise(psi);
    std::map<std::vector<std::string>, double> found;
    for (const Coefficient& c : model.coefficients) found[c.features] = c.value;
    std::vector<double> projected(data.rows());
    for (std::size_t s = 0; s < psi.size(); ++s) {
      Subset factors;
      for (std::size_t k = 0; k < subset.size(); ++k) {
        if ((s >> k & 1U) != 0) factors.push_back(subset[k]);
      }
      const double f = mean(testing::product(psi[s], data.y));
      if (mean(testing::product(psi[s], psi[s])) < 0.5) continue;  // trivial
      ASSERT_TRUE(found.count(names(factors)));
      EXPECT_NEAR(found[names(factors)], f, 1e-9);
      for (std::size_t i = 0; i < data.rows(); ++i) projected[i] += f * psi[s][i];
    }
    for (std::size_t i = 0; i < data.rows(); ++i) {
      bool prediction = false;
      const double value = table_value(model, data, i, prediction);
      if (options.learner == Learner::erm) continue;
      ASSERT_NEAR(value, projected[i], 1e-9);
      if (std::abs(value) > 1e-9) {
        EXPECT_EQ(prediction, value > 0);
      }
    }
    for (std::size_t c = 1; c < model.coefficients.size(); ++c) {
      EXPECT_GE(std::abs(model.coefficients[c - 1].value), std::abs(model.coefficients[c].value));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, JuntaTwin,
                         ::testing::Values(Setting{Learner::fourier, Basis::product},
                                           Setting{Learner::fourier, Basis::correlated},
                                           Setting{Learner::erm, Basis::product}));

TEST(Junta, ErmHasTheFewestErrors) {
  Random random(5);
  const Data data = random_data(random, 150, 8, 0.2);
  JuntaOptions options;
  options.k = 3;
  options.learner = Learner::erm;
  const Model erm = learned(data, options);
  EXPECT_NEAR(erm.score, 1 - 2 * erm.training_error, 1e-12);
  options.learner = Learner::fourier;
  EXPECT_LE(erm.training_error, learned(data, options).training_error);
}

TEST(Junta, BasisIsThatOfTheCommandLine) {
  JuntaOptions options;
  EXPECT_EQ(basis_of(options), Basis::correlated);
  options.learner = Learner::low_degree;
  EXPECT_EQ(basis_of(options), Basis::product);
  options.basis = Basis::correlated;
  EXPECT_EQ(basis_of(options), Basis::correlated);
  Random random(3);
  EXPECT_THROW((void)learned(random_data(random, 40, 4, 0.1), options), Error);
}

// What the screen in single precision lets through is what counts: with all subsets listed nothing
// is screened.
TEST_P(JuntaTwin, WeightedScreenLosesNothing) {
  Random random(91);
  for (const double rare : {0.5, 0.9}) {
    Data data = random_data(random, 700, 30, 0.2);
    for (double& y : data.y) y = y > 0 && random.uniform() < rare ? -1 : y;
    data.y[0] = 1;
    for (std::size_t k = 2; k <= 4; ++k) {
      JuntaOptions options;
      options.k = k;
      options.learner = GetParam().learner;
      options.basis = GetParam().basis;
      options.class_weights.balanced = true;
      options.top = 30'000;
      const Model all = learned(data, options);
      options.top = 5;
      const Model best = learned(data, options);
      ASSERT_EQ(best.candidates.size(), 5);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(best.candidates[i].features, all.candidates[i].features);
        EXPECT_EQ(best.candidates[i].score, all.candidates[i].score);
      }
    }
  }
}

TEST(Junta, WeightsByNameInAnySpelling) {
  Random random(17);
  const Data data = random_data(random, 150, 6, 0.2);
  JuntaOptions options;
  options.k = 2;
  options.class_weights.given = {{"-1", 2.0}, {"1.0", 6.0}};
  const Model model = learned(data, options);
  ASSERT_TRUE(model.class_weights.has_value());
  EXPECT_DOUBLE_EQ((*model.class_weights)[1] / (*model.class_weights)[0], 3);
  options.class_weights.given = {{"1", 3.0}};
  EXPECT_EQ(learned(data, options).score, model.score);
  options.class_weights.given = {{"yes", 3.0}};
  EXPECT_THROW((void)learned(data, options), Error);
  options.class_weights.given = {{"1", -1.0}};
  EXPECT_THROW((void)learned(data, options), Error);
}

TEST(Junta, BeamOfAllIsExhaustive) {
  Random random(13);
  const Data data = random_data(random, 120, 8, 0.1);
  JuntaOptions options;
  options.k = 3;
  const Model all = learned(data, options);
  options.search = JuntaSearch::beam;
  options.beam = 1000;
  const Model beam = learned(data, options);
  ASSERT_EQ(beam.candidates.size(), all.candidates.size());
  for (std::size_t r = 0; r < all.candidates.size(); ++r) {
    EXPECT_NEAR(*beam.candidates[r].score, *all.candidates[r].score, 1e-11);
  }
  EXPECT_EQ(beam.subset, all.subset);
}

// Every step of the greedy search takes the feature that scores best with those before.
TEST(Junta, GreedyGoesStepByStep) {
  Random random(17);
  const Data data = random_data(random, 200, 10, 0.1);
  JuntaOptions options;
  Subset taken;
  for (std::size_t k = 1; k <= 4; ++k) {
    Ranked best{-1, {}};
    for (std::size_t j = 0; j < data.x.size(); ++j) {
      if (std::find(taken.begin(), taken.end(), j) != taken.end()) continue;
      Subset subset = taken;
      subset.push_back(j);
      std::sort(subset.begin(), subset.end());
      const Ranked ranked{rounded(slow_score(data, subset, options)), subset};
      if (best.subset.empty() || ranked < best) best = ranked;
    }
    taken = best.subset;
    options.k = k;
    options.search = JuntaSearch::greedy;
    const Model model = learned(data, options);
    EXPECT_EQ(model.subset, names(taken));
    EXPECT_NEAR(model.score, best.score, 1e-10);
  }
}

TEST(Junta, LowDegreeSumsAllProducts) {
  Random random(19);
  for (std::size_t run = 0; run < 10; ++run) {
    const Data data = random_data(random, 30 + random.below(1000), 6, 0.1);
    JuntaOptions options;
    options.learner = Learner::low_degree;
    options.k = 1 + run % 3;
    const Model model = learned(data, options);
    Subset all(data.x.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    auto psi = parities(data, all);
    std::vector<std::vector<double>> low;
    std::vector<std::vector<std::string>> factors;
    for (std::size_t s = 0; s < psi.size(); ++s) {
      Subset subset;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if ((s >> k & 1U) != 0) subset.push_back(k);
      }
      if (subset.size() > options.k) continue;
      low.push_back(psi[s]);
      factors.push_back(names(subset));
    }
    ASSERT_EQ(model.coefficients.size(), low.size());
    std::map<std::vector<std::string>, double> found;
    for (const Coefficient& c : model.coefficients) found[c.features] = c.value;
    std::vector<double> sums(data.rows());
    for (std::size_t s = 0; s < low.size(); ++s) {
      const double f = mean(testing::product(low[s], data.y));
      EXPECT_NEAR(found.at(factors[s]), f, 1e-10);
      for (std::size_t i = 0; i < data.rows(); ++i) sums[i] += f * low[s][i];
    }
    std::size_t errors = 0;
    for (std::size_t i = 0; i < data.rows(); ++i)
      errors += (sums[i] > 0) != (data.y[i] > 0) ? 1 : 0;
    EXPECT_DOUBLE_EQ(model.training_error,
                     static_cast<double>(errors) / static_cast<double>(data.rows()));
    EXPECT_NEAR(model.score, score_1(data, low), 1e-9);
    EXPECT_EQ(model.subset, names(all));
    EXPECT_TRUE(model.table.empty());
    EXPECT_FALSE(model.formula);
  }
}

TEST(Junta, EqualClassesInACellGoToTheMajority) {
  Data data;
  data.x = {{-1, -1, 1, 1, 1}};
  data.y = {-1, 1, 1, 1, -1};
  JuntaOptions options;
  Model model = learned(data, options);
  EXPECT_EQ(model.table[0].value, 0);
  EXPECT_TRUE(model.table[0].prediction);
  for (double& y : data.y) y = -y;
  model = learned(data, options);
  EXPECT_EQ(model.table[0].value, 0);
  EXPECT_FALSE(model.table[0].prediction);
}

TEST(Junta, AnyNumberOfThreadsGivesTheSameBytes) {
  Random random(23);
  const Data data = random_data(random, 3000, 60, 0.1);
  for (const Learner learner : {Learner::fourier, Learner::low_degree}) {
    JuntaOptions options;
    options.k = learner == Learner::fourier ? 3 : 2;
    options.learner = learner;
    std::string first;
    for (const std::size_t threads : {1, 2, 7}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      const std::string text = to_json(learned(data, options));
      if (first.empty()) first = text;
      EXPECT_EQ(text, first);
    }
  }
}

// A model that is written and read again says the same.
TEST(Junta, ModelsSurviveTheirFile) {
  Random random(29);
  const Data data = random_data(random, 100, 6, 0.1);
  for (const Learner learner : {Learner::fourier, Learner::erm, Learner::low_degree}) {
    JuntaOptions options;
    options.k = 2;
    options.learner = learner;
    Model model = learned(data, options);
    model.parameters.resize(2);
    model.parameters[0].key = "learner";
    model.parameters[0].value = std::string(name_of(learner));
    model.parameters[1].key = "basis";
    model.parameters[1].value = std::string("product");
    const std::string text = to_json(model);
    EXPECT_TRUE(is_model(text));
    EXPECT_EQ(to_json(model_from_json(text, "m.json")), text);
  }
}

// Checkpoints.

class RecordingCheckpoint final : public Checkpoint {
 public:
  std::vector<std::string> saved;
  std::string text;
  [[nodiscard]] std::string name() const override { return "memory"; }
  std::string load() override { return text; }
  void save(std::string_view now) override {
    text = now;
    saved.push_back(text);
  }
};

class StopsAfter final : public Progress {
 public:
  explicit StopsAfter(std::uint64_t steps) : left_(steps) {}
  void begin(std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t) override {
    if (left_-- == 0) throw Error("interrupted", Error::Kind::interrupted);
  }
  void end() override {}

 private:
  std::uint64_t left_;
};

TEST(JuntaCheckpoint, GoesOnFromEveryState) {
  Random random(31);
  const Data data = random_data(random, 20000, 120, 0.1);
  const MemorySource source = data.source();
  JuntaOptions options;
  options.k = 3;
  NoProgress quiet;
  const std::string whole = to_json(learn(source, options, quiet));
  RecordingCheckpoint checkpoint;
  options.checkpoint = &checkpoint;
  EXPECT_EQ(to_json(learn(source, options, quiet)), whole);
  ASSERT_GE(checkpoint.saved.size(), 1U);
  const std::vector<std::string> states = checkpoint.saved;
  for (std::size_t s = 0; s < states.size(); s += 1 + states.size() / 5) {
    RecordingCheckpoint later;
    later.text = states[s];
    options.checkpoint = &later;
    EXPECT_EQ(to_json(learn(source, options, quiet)), whole);
  }
  // Stopped again and again, each time a little later.
  RecordingCheckpoint shaky;
  options.checkpoint = &shaky;
  for (std::uint64_t steps = 20;; steps *= 2) {
    StopsAfter stop(steps);
    try {
      EXPECT_EQ(to_json(learn(source, options, stop)), whole);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::interrupted);
    }
  }
}

TEST(JuntaCheckpoint, OfAnotherRunIsRefused) {
  Random random(37);
  Data data = random_data(random, 100, 10, 0.1);
  JuntaOptions options;
  options.k = 2;
  RecordingCheckpoint checkpoint;
  options.checkpoint = &checkpoint;
  (void)learned(data, options);
  EXPECT_NO_THROW((void)learned(data, options));
  options.k = 3;
  EXPECT_THROW((void)learned(data, options), Error);
  options.k = 2;
  data.x[4][7] = -data.x[4][7];
  EXPECT_THROW((void)learned(data, options), Error);
  data.x[4][7] = -data.x[4][7];
  EXPECT_NO_THROW((void)learned(data, options));
  options.class_weights.balanced = true;
  EXPECT_THROW((void)learned(data, options), Error);
  checkpoint.text.clear();
  (void)learned(data, options);
  EXPECT_NO_THROW((void)learned(data, options));
  options.class_weights = {false, {{"1", 2.0}}};
  EXPECT_THROW((void)learned(data, options), Error);
  options.class_weights = {};
  EXPECT_THROW((void)learned(data, options), Error);
  checkpoint.text = "{}";
  EXPECT_THROW((void)learned(data, options), Error);
  checkpoint.text = "precious notes";
  EXPECT_THROW((void)learned(data, options), Error);
  EXPECT_EQ(checkpoint.text, "precious notes");
}

}  // namespace
}  // namespace fsieve
