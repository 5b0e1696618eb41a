// Tables and sources that break the promises of source.h: every function answers with one Error, or
// with the answer that is right.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "fsieve/bounds.h"
#include "fsieve/error.h"
#include "fsieve/gfs.h"
#include "fsieve/io.h"
#include "fsieve/junta.h"
#include "fsieve/result.h"
#include "fsieve/sffs.h"
#include "fsieve/uffs.h"
#include "source/checked_source.h"
#include "tables.h"

namespace fsieve {
namespace {

using testing::Random;

constexpr std::size_t table_rows = 9000;  // three blocks

// Two-valued, so that every method takes them: y = a and b; c = -a; d is a text of two levels.
MemorySource good_table() {
  Random random(7);
  Schema schema;
  for (const char* const name : {"a", "b", "c", "e"}) {
    schema.features.push_back({name, schema.features.size(), ColumnKind::numeric, {}});
  }
  schema.features.push_back({"d", 4, ColumnKind::categorical, {"no", "yes"}});
  schema.label = Column{"y", 5, ColumnKind::numeric, {}};
  testing::Columns columns;
  for (int j = 0; j < 4; ++j) columns.push_back(random.signs(table_rows));
  for (std::size_t i = 0; i < table_rows; ++i) columns[2][i] = -columns[0][i];
  columns.push_back(random.codes(table_rows, 2));
  columns.emplace_back(table_rows);
  for (std::size_t i = 0; i < table_rows; ++i) {
    columns[5][i] = columns[0][i] > 0 && columns[1][i] > 0 ? 1 : 0;
  }
  std::vector<double> values;
  for (const auto& column : columns) values.insert(values.end(), column.begin(), column.end());
  return {std::move(schema), std::move(values), table_rows};
}

// What a hostile source does to the blocks of a good one.
using Spoil = std::function<void(Block& block, std::size_t number)>;

class HostileSource final : public Source {
 public:
  explicit HostileSource(Spoil spoil_block = [](Block&, std::size_t) {})
      : spoil(std::move(spoil_block)), schema_(table.schema()) {}

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return promised; }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override;
  [[nodiscard]] std::span<const double> in_memory() const override { return memory; }
  [[nodiscard]] std::span<const double> weights() const override { return given_weights; }

  Schema& mutable_schema() { return schema_; }

  MemorySource table = good_table();
  Spoil spoil;
  std::size_t promised = table_rows;
  std::size_t step = 1000;  // rows per block
  std::size_t last_row = table_rows;
  bool empty_between = false;  // every second block has no rows
  std::vector<double> memory;
  std::vector<double> given_weights;

 private:
  Schema schema_;
};

// One buffer for all blocks.
class ReusingReader final : public BlockReader {
 public:
  explicit ReusingReader(const HostileSource& source) : source_(source) {}

  bool next(Block& block) override {
    const std::size_t columns = source_.table.schema().columns();
    block.rows = 0;
    if (row_ >= source_.last_row) return false;
    if (source_.empty_between && calls_++ % 2 == 0) return true;
    block.first_row = row_;
    block.rows = std::min(source_.step, source_.last_row - row_);
    block.stride = block.rows;
    buffer_.assign(block.rows * columns, 0);
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::size_t from = (row_ + i) % table_rows;
        buffer_[j * block.rows + i] = source_.table.in_memory()[j * table_rows + from];
      }
    }
    block.values = buffer_.data();
    row_ += block.rows;
    source_.spoil(block, number_++);
    return true;
  }

 private:
  const HostileSource& source_;
  std::vector<double> buffer_;
  std::size_t row_ = 0;
  std::size_t number_ = 0;
  std::size_t calls_ = 0;
};

std::unique_ptr<BlockReader> HostileSource::open() const {
  return std::make_unique<ReusingReader>(*this);
}

struct Method {
  std::string name;
  std::function<std::string(const Source&)> run;
};

std::string sffs_text(const Source& source, Search search, bool reduce) {
  NoProgress progress;
  SffsOptions options;
  options.search = search;
  options.k = 2;
  options.beam = 2;
  if (reduce) options.reduce = {{1, 0}};
  return to_json(describe(sffs(source, options, progress), source));
}

std::string learn_text(const Source& source, JuntaSearch search, Learner learner) {
  NoProgress progress;
  JuntaOptions options;
  options.k = 2;
  options.search = search;
  options.learner = learner;
  return to_json(learn(source, options, progress));
}

std::string written(const Source& source) {
  NoProgress progress;
  const auto path = std::filesystem::temp_directory_path() /
                    ("fsieve-hostile-" + std::to_string(::getpid()) + ".npy");
  std::vector<std::size_t> numeric{0, 1, 2, 3, 5};
  try {
    write_table(path.string(), source, numeric, progress);
  } catch (...) {
    EXPECT_FALSE(std::filesystem::exists(path));
    throw;
  }
  const std::string size = std::to_string(std::filesystem::file_size(path));
  std::filesystem::remove(path);
  return size;
}

std::string predictions(const Source& source) {
  NoProgress progress;
  JuntaOptions options;
  options.k = 2;
  const MemorySource good = good_table();
  const Model model = learn(good, options, progress);
  PredictionCounts counts;
  const auto made = predicted(model, source, Unseen::error, 1, counts);
  const auto reader = made->open();
  Block block;
  double sum = 0;
  std::size_t read = 0;
  while (reader->next(block)) {
    for (const double value : block.column(made->schema().columns() - 1)) sum += value;
    read += block.rows;
  }
  return std::to_string(read) + " " + std::to_string(sum) + " " + std::to_string(counts.right);
}

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const Engine engine : {Engine::gram, Engine::sample}) {
    all.push_back({"uffs", [=](const Source& source) {
                     NoProgress progress;
                     UffsOptions options;
                     options.engine = engine;
                     return to_json(describe(uffs(source, options, progress), source));
                   }});
    all.push_back({"gfs", [=](const Source& source) {
                     NoProgress progress;
                     GfsOptions options;
                     options.engine = engine;
                     return to_json(describe(gfs(source, options, progress), source));
                   }});
    all.push_back({"gfa", [=](const Source& source) {
                     NoProgress progress;
                     GfaOptions options;
                     options.engine = engine;
                     return to_json(describe(gfa(source, options, progress), source));
                   }});
  }
  for (const Search search : {Search::forward, Search::unite, Search::beam}) {
    all.push_back({"sffs", [=](const Source& s) { return sffs_text(s, search, false); }});
  }
  all.push_back({"sffs+uffs", [](const Source& s) { return sffs_text(s, Search::forward, true); }});
  for (const JuntaSearch search :
       {JuntaSearch::exhaustive, JuntaSearch::greedy, JuntaSearch::beam}) {
    all.push_back(
        {"learn", [=](const Source& s) { return learn_text(s, search, Learner::fourier); }});
  }
  all.push_back({"low degree", [](const Source& s) {
                   return learn_text(s, JuntaSearch::exhaustive, Learner::low_degree);
                 }});
  all.push_back({"bounds", [](const Source& s) {
                   NoProgress progress;
                   return std::to_string(ck_of_table(s, 2, Cut::none, 0, progress).ck);
                 }});
  all.push_back({"load", [](const Source& s) {
                   double sum = 0;
                   const auto loaded = MemorySource::load(s);
                   for (const double value : loaded->in_memory()) sum = 0.9 * sum + value;
                   return std::to_string(sum);
                 }});
  all.push_back({"predicted", predictions});
  all.push_back({"write_table", written});
  return all;
}

// Every method refuses it with a sentence that holds `words`.
void expect_refused(const Source& source, const std::string& words) {
  for (const Method& method : methods()) {
    try {
      (void)method.run(source);
      ADD_FAILURE() << method.name << " took it: " << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
          << method.name << ": " << error.what();
    }
  }
}

TEST(HostileSource, AnyBlocksInOneBufferGiveTheRightAnswer) {
  const MemorySource good = good_table();
  for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, table_rows}) {
    HostileSource source;
    source.step = step;
    for (const Method& method : methods()) {
      if (step == 1 && method.name != "uffs" && method.name != "load") continue;
      EXPECT_EQ(method.run(source), method.run(good)) << method.name << ", step " << step;
    }
  }
}

TEST(HostileSource, EmptyBlocksAreSkipped) {
  HostileSource source;
  source.empty_between = true;
  const auto loaded = MemorySource::load(source);
  EXPECT_TRUE(std::ranges::equal(loaded->in_memory(), source.table.in_memory()));
}

TEST(HostileSource, RowsThatAreNotThere) {
  HostileSource source;
  source.promised = table_rows + 1;
  expect_refused(source, "its blocks end after 9000");
  source.promised = table_rows - 1;
  expect_refused(source, "its blocks have more");
  source.promised = table_rows;
  source.last_row = table_rows + 1;
  expect_refused(source, "its blocks have more");
  source.last_row = 0;
  expect_refused(source, "its blocks end after 0");
  source.promised = SIZE_MAX / 2;
  expect_refused(source, "no memory can hold");
}

TEST(HostileSource, BlocksThatLie) {
  expect_refused(HostileSource([](Block& block, std::size_t) { block.first_row = 0; }),
                 "first_row");
  expect_refused(HostileSource([](Block& block, std::size_t) { block.values = nullptr; }),
                 "no values");
  expect_refused(HostileSource([](Block& block, std::size_t) { block.stride = 1; }), "stride");
  expect_refused(HostileSource([](Block& block, std::size_t) {
                   block.storage.assign(8, 0.0);
                   block.values = block.storage.data();
                 }),
                 "no values");
  static const std::vector<double> ones(table_rows, 1.0);
  expect_refused(HostileSource([](Block& block, std::size_t) {
                   block.weights = std::span(ones).first(block.rows);
                 }),
                 "weights");
}

TEST(HostileSource, ValuesThatAreNone) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const std::size_t column : {0, 5}) {
      expect_refused(HostileSource([=](Block& block, std::size_t number) {
                       if (number == 3) const_cast<double*>(block.column(column).data())[2] = value;
                     }),
                     "row 3003");
    }
  }
  for (const double code : {-1.0, 2.0, 0.5, 1e300, std::nan("")}) {
    expect_refused(HostileSource([=](Block& block, std::size_t number) {
                     if (number == 8) const_cast<double*>(block.column(4).data())[999] = code;
                   }),
                   R"(column "d", row 9000)");
  }
}

TEST(HostileSource, NamesAndLevels) {
  HostileSource source;
  source.mutable_schema().features[1].name = "a";
  expect_refused(source, R"(named "a")");
  source.mutable_schema().features[1].name = "y";
  expect_refused(source, R"(named "y")");
  source.mutable_schema().features[1].name = "";
  expect_refused(source, "column 2 of the table has no name");
  source.mutable_schema().features[1].name = "b";
  source.mutable_schema().features[4].levels = {"yes", "no"};
  expect_refused(source, "byte order");
  source.mutable_schema().features[4].levels = {"yes", "yes"};
  expect_refused(source, "byte order");
}

TEST(HostileSource, MemoryAndWeightsOfAnotherSize) {
  HostileSource source;
  source.memory.assign(10, 1.0);
  expect_refused(source, "10 values do not make 9000 rows of 6 columns");
  const auto good = source.table.in_memory();
  source.memory.assign(good.begin(), good.end());
  source.memory[table_rows + 1] = std::nan("");
  expect_refused(source, R"(column "b", row 2)");
  source.memory.clear();
  source.given_weights.assign(table_rows - 1, 1.0);
  expect_refused(source, "give one per row");
  source.given_weights.assign(table_rows, -1.0);
  expect_refused(source, "its weight is -1");
}

TEST(HostileSource, WeightsOnTop) {
  HostileSource source([](Block& block, std::size_t) { block.first_row += 100'000; });
  const WeightedSource weighted(source, std::vector<double>(table_rows, 2.0));
  EXPECT_THROW((void)MemorySource::load(weighted), Error);
  NoProgress progress;
  EXPECT_THROW((void)uffs(weighted, {}, progress), Error);
}

TEST(CheckedInput, OwnSourcesPassThrough) {
  const MemorySource good = good_table();
  EXPECT_EQ(&*CheckedInput(good), &good);
  const WeightedSource weighted(good, std::vector<double>(table_rows, 1.0));
  EXPECT_EQ(&*CheckedInput(weighted), &weighted);
  const HostileSource foreign;
  EXPECT_NE(&*CheckedInput(foreign), &foreign);
}

Schema two_columns() {
  Schema schema;
  schema.features = {{"a", 0, ColumnKind::numeric, {}},
                     {"b", 1, ColumnKind::categorical, {"p", "q"}}};
  return schema;
}

std::string refusal(const Schema& schema, std::vector<double> values, std::size_t count) {
  try {
    const MemorySource source(schema, std::move(values), count);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MemorySource, ChecksWhatItIsGiven) {
  const double nan = std::nan("");
  EXPECT_EQ(refusal(two_columns(), {1, 2, 0, 1}, 2), "");
  EXPECT_EQ(refusal(two_columns(), {1, nan, 0, 1}, 2),
            R"(column "a", row 2: nan is not a finite number; leave the row out or fill it in)");
  EXPECT_NE(refusal(two_columns(), {1, -INFINITY, 0, 1}, 2), "");
  EXPECT_EQ(refusal(two_columns(), {1, 2, 0, 2}, 2),
            R"(column "b", row 2: 2 is not the position of one of its 2 levels)");
  EXPECT_NE(refusal(two_columns(), {1, 2, 0, 0.5}, 2), "");
  EXPECT_NE(refusal(two_columns(), {1, 2, -1, 0}, 2), "");
  EXPECT_EQ(refusal(two_columns(), {1, 2, 0}, 2), "3 values do not make 2 rows of 2 columns");
  EXPECT_NE(refusal(two_columns(), {1, 2}, SIZE_MAX / 2 + 2), "");  // the product wraps around

  Schema schema = two_columns();
  schema.label = Column{"y", 2, ColumnKind::numeric, {}};
  EXPECT_EQ(refusal(schema, {1, 2, 0, 1, 0, nan}, 2).rfind(R"(column "y", row 2)", 0), 0U);
  schema.label->name = "b";
  EXPECT_EQ(refusal(schema, {1, 2, 0, 1, 0, 1}, 2),
            R"(two columns of the table are named "b": rename one)");
}

TEST(Describe, RefusesTheResultOfAnotherTable) {
  const MemorySource narrow(two_columns(), {1, 2, 0, 1}, 2);
  UffsResult found;
  found.selected.emplace_back().feature = 2;
  EXPECT_THROW((void)describe(found, narrow), Error);
  found.selected.clear();
  found.removed.emplace_back().feature = 2;
  EXPECT_THROW((void)describe(found, narrow), Error);
}

TEST(Block, CopiesHaveTheirOwnValues) {
  Block block;
  block.rows = block.stride = 2;
  block.storage = {1, 2, 3, 4};
  block.values = block.storage.data();
  const Block copy = block;
  Block assigned;
  assigned = block;
  block.storage.assign(4, 9);
  EXPECT_EQ(copy.values, copy.storage.data());
  EXPECT_EQ(copy.column(1)[0], 3);
  EXPECT_EQ(assigned.column(1)[1], 4);
  const Block moved = std::move(assigned);
  EXPECT_EQ(moved.column(1)[1], 4);
  EXPECT_EQ(assigned.rows, 0U);  // NOLINT(bugprone-use-after-move): it is empty, by promise
  EXPECT_EQ(assigned.values, nullptr);

  const std::vector<double> outside{5, 6};
  Block borrowed;
  borrowed.rows = borrowed.stride = 2;
  borrowed.values = outside.data();
  EXPECT_EQ(Block(borrowed).values, outside.data());
}

}  // namespace
}  // namespace fsieve
