// Work that is asked to stop ends with Error(interrupted), whatever it is doing, and leaves nothing
// that a later run could stumble on.
#include "base/stop.h"
#include "fsieve/stop.h"

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "base/buffer.h"
#include "base/parallel.h"
#include "equation/sheet.h"
#include "fsieve/bounds.h"
#include "fsieve/error.h"
#include "fsieve/gfs.h"
#include "fsieve/junta.h"
#include "fsieve/sffs.h"
#include "fsieve/threads.h"
#include "fsieve/uffs.h"
#include "relations/copies.h"
#include "span/gram_factor.h"
#include "stats/fold.h"

namespace fsieve {
namespace {

bool ends_interrupted(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind() == Error::Kind::interrupted;
  }
  return false;
}

TEST(Stop, NobodyIsAskedWithoutAScope) {
  EXPECT_EQ(StopScope::current(), nullptr);
  stop_if_asked();
  const StopFlag flag;
  const StopScope scope(flag);
  stop_if_asked();
}

TEST(Stop, TheFirstToAskIsTold) {
  StopFlag flag;
  EXPECT_TRUE(flag.ask());
  EXPECT_FALSE(flag.ask());
}

TEST(Stop, AnOuterScopeCountsToo) {
  StopFlag outer;
  const StopFlag inner;
  const StopScope outer_scope(outer);
  {
    const StopScope inner_scope(inner);
    stop_if_asked();
    outer.ask();
    EXPECT_TRUE(ends_interrupted(stop_if_asked));
  }
  EXPECT_TRUE(ends_interrupted(stop_if_asked));
}

TEST(Stop, AnotherThreadIsNotConcerned) {
  StopFlag flag;
  const StopScope scope(flag);
  flag.ask();
  bool disturbed = true;
  std::thread([&] {
    disturbed = ends_interrupted([] { in_parallel(100, [](std::size_t) {}); });
  }).join();
  EXPECT_FALSE(disturbed);
}

TEST(InParallel, CallsEverything) {
  std::vector<int> calls(10'000);
  in_parallel(calls.size(), [&](std::size_t i) { ++calls[i]; });
  in_parallel_one_by_one(calls.size(), [&](std::size_t i) { ++calls[i]; });
  EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0), 20'000);
}

TEST(InParallel, StopsOnAllThreads) {
  for (const std::uint64_t threads : {1, 2, 7}) {
    StopFlag flag;
    const StopScope scope(flag);
    std::atomic<std::size_t> calls{0};
    std::atomic<std::size_t> late{0};
    std::atomic<bool> asked{false};
    const auto work = [&] {
      in_parallel(1'000'000, [&](std::size_t) {
        if (asked) ++late;
        if (++calls != 1000) return;
        flag.ask();
        asked = true;
      });
    };
    EXPECT_TRUE(ends_interrupted([&] { with_threads(threads, work); }));
    EXPECT_LE(late, threads);  // the one that each thread was about to begin
  }
}

// A loop within one that fails ends early: what comes after it must not see half of its work.
TEST(InParallel, NothingGoesOnWithALoopThatWasCutShort) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::atomic<bool> half_done{false};
    const auto work = [&] {
      in_parallel_one_by_one(8, [&](std::size_t part) {
        if (part == 5) throw Error("no more");
        std::atomic<std::size_t> calls{0};
        in_parallel(1000, [&](std::size_t) { ++calls; });
        if (calls != 1000) half_done = true;
      });
    };
    EXPECT_THROW(with_threads(4, work), Error);
    EXPECT_FALSE(half_done);
  }
}

// Loops on one thread that take long where a table is large.
TEST(Stop, LongLoopsLook) {
  Sheet sheet;
  sheet.rows = 10;
  sheet.values.assign(20 * sheet.rows, 1);
  const std::vector<std::uint32_t> columns{0, 1, 2};
  std::vector<double> deviations;
  std::vector<double> gram(std::size_t{100} * 100);
  for (std::size_t k = 0; k < 100; ++k) gram[k * 101] = 1;
  const MemorySource values = [] {
    std::vector<double> cells(100, 0.5);
    return MemorySource(Schema{{{"x", 0, ColumnKind::numeric, {}}}, {}}, std::move(cells), 100);
  }();
  const std::vector<std::function<void()>> loops{
      [&] { (void)standardised(sheet, sheet.values, deviations); },
      [&] { (void)thinned(sheet, 5); },
      [&] { (void)relations::same_up_to_unit(sheet, columns); },
      [&] { (void)factor_gram(100, gram.data(), 100, 0, 0, nullptr); },
      [] { const Buffer buffer(1000, 0.0); },
      [&] { (void)MemorySource::load(values); },
  };
  for (std::size_t k = 0; k < loops.size(); ++k) {
    StopFlag flag;
    const StopScope scope(flag);
    loops[k]();
    flag.ask();
    EXPECT_TRUE(ends_interrupted(loops[k])) << k;
  }
}

// Raises a flag at its n-th report of progress; what is left of the work must look by itself.
class AsksAt final : public Progress {
 public:
  AsksAt(StopFlag& flag, int report) : flag_(flag), left_(report) {}
  void begin(std::string_view, std::uint64_t) override { count(); }
  void advance(std::uint64_t) override { count(); }
  void end() override { count(); }

 private:
  void count() {
    if (left_-- == 0) flag_.ask();
  }
  StopFlag& flag_;
  int left_;
};

MemorySource table(std::size_t rows, std::size_t columns, bool signs) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Schema schema;
  std::vector<double> values(rows * (columns + 1));
  for (double& value : values) value = normal(random);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (signs || k >= rows * columns) values[k] = values[k] > 0 ? 1 : -1;
  }
  for (std::size_t j = 0; j < columns; ++j) {
    schema.features.push_back({"x" + std::to_string(j + 1), j, ColumnKind::numeric, {}});
  }
  schema.label = Column{"y", columns, ColumnKind::numeric, {}};
  return {std::move(schema), std::move(values), rows};
}

// The first two columns, and what their product makes of others.
MemorySource with_products() {
  MemorySource source = table(2000, 8, false);
  const auto reader = source.open();
  Block block;
  std::vector<std::vector<double>> columns(9);
  while (reader->next(block)) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto column = block.column(j);
      columns[j].insert(columns[j].end(), column.begin(), column.end());
    }
  }
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    columns[2][i] = columns[0][i] * columns[1][i];
    columns[3][i] = columns[0][i] + 0.01 * columns[3][i];
    columns[4][i] = columns[2][i] - columns[5][i];
  }
  std::vector<double> values;
  for (const auto& column : columns) values.insert(values.end(), column.begin(), column.end());
  return {source.schema(), std::move(values), source.rows()};
}

// Every method, asked to stop at its first reports, ends so; asked again without, it answers as if
// nothing had been.
struct StoppedMethod {
  std::string name;
  std::function<std::string(const RunContext&)> run;
};

std::vector<StoppedMethod> stopped_methods() {
  static const MemorySource numbers = table(2000, 12, false);
  static const MemorySource signs = table(2000, 12, true);
  static const MemorySource dependent = with_products();
  const auto uffs_by = [](const MemorySource& source, Engine engine,
                          std::optional<double> clusters) {
    return [&source, engine, clusters](const RunContext& context) {
      UffsOptions options;
      options.stages = {{1, 0}, {3, 0}};
      options.engine = engine;
      options.clusters = clusters;
      const UffsResult result =
          clusters ? interchangeable(source, options, context) : uffs(source, options, context);
      std::string text;
      for (const SelectedFeature& kept : result.selected) text += std::to_string(kept.norm) + " ";
      return text;
    };
  };
  using Change = std::function<void(SffsOptions&)>;
  const auto sffs_with = [](const MemorySource& source, Change change) {
    return [&source, change = std::move(change)](const RunContext& context) {
      SffsOptions options;
      options.folds = 0;
      options.k = 5;
      change(options);
      const SffsResult result = sffs(source, options, context);
      std::string text;
      for (const RelevantFeature& chosen : result.selected) {
        text += std::to_string(chosen.feature) + ":" + std::to_string(chosen.score) + " ";
      }
      return text;
    };
  };
  const auto sffs_by = [&](const MemorySource& source, Search search, Score score, int depth) {
    return sffs_with(source, [=](SffsOptions& options) {
      options.search = search;
      options.score = score;
      options.depth = depth;
    });
  };
  const auto learn_by = [](JuntaSearch search, Learner learner, std::size_t permutations = 0) {
    return [=](const RunContext& context) {
      JuntaOptions options;
      options.permutations = permutations;
      options.k = 3;
      options.search = search;
      options.beam = 5;
      options.learner = learner;
      return std::to_string(learn(signs, options, context).training_error);
    };
  };
  return {
      {"gram", uffs_by(numbers, Engine::gram, {})},
      {"sample", uffs_by(numbers, Engine::sample, {})},
      {"equations", uffs_by(dependent, Engine::gram, {})},
      {"clusters", uffs_by(dependent, Engine::automatic, 0.5)},
      {"gfs",
       [](const RunContext& context) {
         GfsOptions options;
         options.epsilon2 = 0;
         options.k = 4;
         return std::to_string(gfs(numbers, options, context).functions);
       }},
      {"gfa",
       [](const RunContext& context) {
         GfaOptions options;
         options.delta = 0;
         return std::to_string(gfa(numbers, options, context).functions);
       }},
      {"forward", sffs_by(numbers, Search::forward, Score::l1, 3)},
      {"beam of subsets", sffs_with(numbers,
                                    [](SffsOptions& options) {
                                      options.search = Search::beam;
                                      options.beam = 3;
                                    })},
      {"plain columns",
       sffs_with(numbers, [](SffsOptions& options) { options.shape = Shape::plain; })},
      {"folds", sffs_with(numbers, [](SffsOptions& options) { options.folds = 3; })},
      {"best size", sffs_with(numbers,
                              [](SffsOptions& options) {
                                options.k.reset();
                                options.best_size = true;
                                options.folds = 3;
                              })},
      {"half-samples", sffs_with(numbers, [](SffsOptions& options) { options.stability = 10; })},
      {"shuffles", sffs_with(numbers, [](SffsOptions& options) { options.permutations = 199; })},
      {"bins", sffs_with(numbers, [](SffsOptions& options) { options.bins = 4; })},
      {"union", sffs_by(numbers, Search::unite, Score::l1, 3)},
      {"cells", sffs_by(signs, Search::unite, Score::l1, 4)},
      {"l2", sffs_by(numbers, Search::unite, Score::l2, 3)},
      {"exhaustive", learn_by(JuntaSearch::exhaustive, Learner::fourier)},
      {"beam", learn_by(JuntaSearch::beam, Learner::fourier)},
      {"greedy", learn_by(JuntaSearch::greedy, Learner::fourier)},
      {"fewest errors", learn_by(JuntaSearch::exhaustive, Learner::erm)},
      {"low-degree", learn_by(JuntaSearch::exhaustive, Learner::low_degree)},
      {"shuffled classes", learn_by(JuntaSearch::exhaustive, Learner::fourier, 50)},
  };
}

TEST(StopMethods, EndAndCanBeRunAgain) {
  for (const StoppedMethod& method : stopped_methods()) {
    const std::string answer = method.run({});
    for (const int report : {0, 1, 2, 3, 5}) {
      StopFlag flag;
      AsksAt progress(flag, report);
      RunContext context(progress);
      std::optional<StopScope> around;  // both ways to say it are taken in turn
      if (report % 2 == 0) {
        around.emplace(flag);
      } else {
        context.stop = &flag;
      }
      EXPECT_TRUE(ends_interrupted([&] { (void)method.run(context); }))
          << method.name << ", report " << report;
    }
    RunContext two_threads;
    two_threads.threads = 2;
    EXPECT_EQ(method.run(two_threads), answer) << method.name;
  }
}

TEST(Stop, BoundsOfATableEnd) {
  const MemorySource signs = table(2000, 12, true);
  StopFlag flag;
  const StopScope scope(flag);
  AsksAt progress(flag, 0);
  EXPECT_TRUE(ends_interrupted([&] { (void)ck_of_table(signs, 3, Cut::none, 0, progress); }));
}

}  // namespace
}  // namespace fsieve
