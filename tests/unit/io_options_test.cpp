// Column choice, missing values, row ranges and memory, on every path they can take.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <string>

#include "io_test_util.h"
#include "table/cell_text.h"
#include "table/glob.h"

namespace fsieve::io_test {
namespace {

using ::testing::HasSubstr;

class IoOptionsTest : public IoTest {
 protected:
  // Opens in memory and from the file, and expects the same.
  std::unique_ptr<Source> open_both(const std::string& path, const ReadOptions& options) {
    auto in_memory = open(path, options);
    const auto streamed = open(path, options, 0);
    EXPECT_FALSE(in_memory->in_memory().empty());
    EXPECT_TRUE(streamed->in_memory().empty());
    EXPECT_EQ(in_memory->rows(), streamed->rows());
    const auto a = values(*in_memory);
    const auto b = values(*streamed);
    EXPECT_EQ(a, b);
    for (std::size_t j = 0; j < in_memory->schema().features.size(); ++j) {
      EXPECT_EQ(in_memory->schema().features[j].levels, streamed->schema().features[j].levels);
    }
    return in_memory;
  }
};

TEST_F(IoOptionsTest, LabelComesLast) {
  ReadOptions options;
  options.label = "b";
  const auto table = open_both(file("a.csv", "a,b,c\n1,x,3\n4,y,6\n"), options);
  EXPECT_EQ(names(*table), (Texts{"a", "c"}));
  EXPECT_EQ(table->schema().features[1].index, 2U);
  ASSERT_TRUE(table->schema().label);
  EXPECT_EQ(table->schema().label->name, "b");
  EXPECT_EQ(table->schema().label->index, 1U);
  EXPECT_EQ(values(*table), (Columns{{1, 4}, {3, 6}, {0, 1}}));
}

TEST_F(IoOptionsTest, Globs) {
  const std::string path = file("a.csv", "x1,x2,y1,z\n1,2,3,4\n");
  ReadOptions options;
  options.columns = {"x*", "?1"};
  EXPECT_EQ(names(*open(path, options)), (Texts{"x1", "x2", "y1"}));
  options.exclude = {"x[2-9]"};
  options.label = "z";
  EXPECT_EQ(names(*open(path, options)), (Texts{"x1", "y1"}));
  options.exclude = {"x*", "y*"};
  EXPECT_EQ(error(path, options), "a.csv: no feature columns are left");
  options.exclude = {"q*"};
  EXPECT_EQ(error(path, options), "a.csv: no column matches \"q*\"");
  options.exclude = {"y2"};
  EXPECT_EQ(error(path, options), "a.csv: no column \"y2\" (did you mean \"x2\"?)");
}

TEST_F(IoOptionsTest, GlobRules) {
  EXPECT_TRUE(io::Glob("a*c").matches("abbc"));
  EXPECT_TRUE(io::Glob("*").matches(""));
  EXPECT_TRUE(io::Glob("[!a]b").matches("cb"));
  EXPECT_FALSE(io::Glob("[!a]b").matches("ab"));
  EXPECT_FALSE(io::Glob("a?").matches("a"));
  EXPECT_TRUE(io::Glob("a[").matches("a["));
  EXPECT_TRUE(io::Glob("[]]").matches("]"));
  EXPECT_TRUE(io::Glob("*ab*c?").matches("xabyabzcd"));
  EXPECT_FALSE(io::Glob("*ab*c?").matches("xabyabzc"));
  EXPECT_TRUE(io::Glob("[a-c^]*[!x-z]").matches("^b"));
  // Every * may end anywhere: tried one by one, this takes for ever.
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  EXPECT_FALSE(io::Glob(stars + "*b").matches(std::string(2000, 'a')));
  EXPECT_TRUE(io::Glob(stars).matches(std::string(2000, 'a')));
  EXPECT_TRUE(io::Glob(std::string(100'000, '[')).matches(std::string(100'000, '[')));
}

TEST_F(IoOptionsTest, UnknownNames) {
  const std::string path = file("a.csv", "food,drink\n1,2\n");
  ReadOptions options;
  options.label = "foo";
  EXPECT_EQ(error(path, options), "a.csv: no column \"foo\" (did you mean \"food\"?)");
  options.label.reset();
  options.categorical = {"Drink"};
  EXPECT_EQ(error(path, options), "a.csv: no column \"Drink\" (did you mean \"drink\"?)");
  options.categorical = {"qqqqqqq"};
  EXPECT_EQ(error(path, options), "a.csv: no column \"qqqqqqq\"");
}

// What the sentence says may change, what a program asks for does not.
TEST_F(IoOptionsTest, UnknownNamesHaveACode) {
  const std::string path = file("a.csv", "food,drink\n1,2\n");
  const auto code = [&](const ReadOptions& options) {
    try {
      open(path, options);
    } catch (const Error& error) {
      return error.code();
    }
    return Error::Code::too_few_features;  // no error
  };
  ReadOptions label;
  label.label = "foo";
  EXPECT_EQ(code(label), Error::Code::no_such_column);
  ReadOptions needed;
  needed.needed = {"food", "dish"};
  EXPECT_EQ(code(needed), Error::Code::no_such_column);
  ReadOptions columns;
  columns.columns = {"dish"};
  EXPECT_EQ(code(columns), Error::Code::no_such_column);
  ReadOptions backwards;
  backwards.first_row = 9;
  EXPECT_EQ(code(backwards), Error::Code::other);
}

// Two ids of 17 digits may be one double, which is no constant.
TEST_F(IoOptionsTest, IdsThatAreOneDoubleAreSetAside) {
  const auto table = [&](const std::string& name, const std::string& a, const std::string& b) {
    std::string text = "id,x\n";
    for (int i = 0; i < 30; ++i) text += (i % 2 == 0 ? a : b) + (i % 3 == 0 ? ",1\n" : ",2\n");
    return file(name, text);
  };
  ReadOptions options;
  options.set_aside = true;
  const auto ids = open_both(table("ids.csv", "9007199254740992", "9007199254740993"), options);
  EXPECT_EQ(names(*ids), Texts{"x"});
  ASSERT_EQ(ids->schema().ignored.size(), 1U);
  EXPECT_EQ(ids->schema().ignored[0].reason, IgnoredColumn::Reason::rounded);
  // Other constants are constants.
  EXPECT_EQ(names(*open_both(table("small.csv", "12", "12"), options)), (Texts{"id", "x"}));
  EXPECT_EQ(names(*open_both(table("real.csv", "1e20", "1e20"), options)), (Texts{"id", "x"}));
  // And where doubles differ there is something to compute with.
  EXPECT_EQ(names(*open_both(table("two.csv", "9007199254740992", "9007199254740994"), options)),
            (Texts{"id", "x"}));
}

TEST_F(IoOptionsTest, MissingIsAnErrorByDefault) {
  EXPECT_THAT(error(file("a.csv", "a,b\n1,2\n3,\n,4\n")),
              HasSubstr("a.csv: column \"b\", row 2: missing value"));
  ReadOptions options;
  options.label = "a";
  EXPECT_THAT(error(file("b.csv", "a,b\n1,2\n,\n"), options),
              HasSubstr("column \"a\", row 2: missing value"));
}

TEST_F(IoOptionsTest, MissingDrop) {
  ReadOptions options;
  options.missing = Missing::drop;
  options.label = "y";
  const auto table = open_both(
      file("a.csv", "a,b,y\n1,red,0\n,blue,1\n3,,1\n4,green,\n5,red,1\n6,green,0\n"), options);
  EXPECT_EQ(values(*table), (Columns{{1, 5, 6}, {1, 1, 0}, {0, 1, 0}}));
  EXPECT_EQ(table->schema().features[1].levels, (Texts{"green", "red"}));
  EXPECT_EQ(
      error(file("b.csv", "a,b,y\n1,,0\n,2,1\n"), options),
      "b.csv: every row has a missing value; most are missing in \"a\", \"b\" (--missing mean "
      "fills them in, --exclude leaves columns out)");
}

TEST_F(IoOptionsTest, MissingMean) {
  ReadOptions options;
  options.missing = Missing::mean;
  const auto table = open_both(file("a.csv", "a,b\n1,red\n,blue\n3,\n5,red\n4.5,blue\n"), options);
  EXPECT_EQ(values(*table)[0], (std::vector<double>{1, 13.5 / 4, 3, 5, 4.5}));
  EXPECT_EQ(values(*table)[1], (std::vector<double>{1, 0, 0, 1, 0}));
}

TEST_F(IoOptionsTest, LabelsAreNotMadeUp) {
  ReadOptions options;
  options.missing = Missing::mean;
  options.label = "a";
  const std::string path = file("a.csv", "a,b,c\n1,red,\n,blue,2\n3,,4\n5,red,6\n4.5,green,1\n");
  const auto table = open_both(path, options);
  EXPECT_EQ(table->rows(), 4U);
  EXPECT_EQ(table->schema().features[0].levels, (Texts{"green", "red"}));
  EXPECT_EQ(values(*table), (Columns{{1, 1, 1, 0}, {3.25, 4, 6, 1}, {1, 3, 5, 4.5}}));
  EXPECT_EQ(row_in_file(*table, 1), 3U);
}

TEST_F(IoOptionsTest, ColumnWithoutValues) {
  const std::string path = file("a.csv", "a,b\n1,\n2,nan\n");
  EXPECT_THAT(error(path), HasSubstr("column \"b\", row 1: missing value"));
  for (const Missing missing : {Missing::drop, Missing::mean}) {
    ReadOptions options;
    options.missing = missing;
    EXPECT_EQ(error(path, options),
              "a.csv: column \"b\" has no values (leave it out: --exclude b)");
  }
}

TEST_F(IoOptionsTest, TextsThatMarkMissingValues) {
  ReadOptions options;
  options.missing = Missing::drop;
  options.na = {"-999", "?"};
  const auto table =
      open_both(file("a.csv", "a,b\n1,u\n-999,u\n2,?\n-999.0,u\n3, ?\n?,u\n4,v\n"), options);
  EXPECT_EQ(values(*table), (Columns{{1, 4}, {0, 1}}));
}

TEST_F(IoOptionsTest, RowRange) {
  std::string text = "a,b\nbad,u\n";
  for (int i = 2; i <= 20; ++i) text += std::to_string(i) + "," + (i < 10 ? "u" : "v") + "\n";
  const std::string path = file("a.csv", text);
  ReadOptions options;
  options.first_row = 3;
  options.last_row = 5;
  const auto table = open_both(path, options);
  EXPECT_EQ(values(*table), (Columns{{3, 4, 5}, {0, 0, 0}}));
  EXPECT_EQ(table->schema().features[1].levels, (Texts{"u"}));
  options.last_row = UINT64_MAX;
  EXPECT_EQ(open(path, options)->rows(), 18U);
  options.first_row = 21;
  EXPECT_EQ(error(path, options), "a.csv: row 21 was asked for, but the file has 20 data rows");
  options.first_row = 1;
  options.last_row = 21;
  EXPECT_THAT(error(path, options), HasSubstr("the file has 20 data rows"));
}

TEST_F(IoOptionsTest, ErrorsInARangeCountRowsOfTheFile) {
  ReadOptions options;
  options.first_row = 3;
  EXPECT_THAT(error(file("a.csv", "a,b\n1,1\n,2\n3,3\n4,\n"), options),
              HasSubstr("column \"b\", row 4: missing value"));
}

TEST_F(IoOptionsTest, CategoricalNumbers) {
  ReadOptions options;
  options.categorical = {"a"};
  const auto table = open_both(file("a.csv", "a,b\n10,1\n9.0,2\n2.50,3\n1e1,4\n"), options);
  EXPECT_EQ(table->schema().features[0].levels, (Texts{"10", "2.5", "9"}));
  EXPECT_EQ(values(*table)[0], (std::vector<double>{0, 2, 1, 0}));
}

TEST_F(IoOptionsTest, CategoricalMixture) {
  ReadOptions options;
  options.categorical = {"a"};
  std::string text = "a\n";
  for (int i = 0; i < 20; ++i) text += "1.0\n";
  const auto table = open(file("a.csv", text + "x\n"), options, 0);
  EXPECT_EQ(table->schema().features[0].levels, (Texts{"1", "x"}));
  EXPECT_EQ(values(*table)[0].back(), 1);
}

TEST_F(IoOptionsTest, MemoryAndFileGiveTheSameBits) {
  std::string text = "a,b,c,y\n";
  std::uint64_t state = 1;
  const auto random = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 33U;
  };
  for (int i = 0; i < 60000; ++i) {
    text += std::to_string(static_cast<double>(random()) / 1e5) + ",";
    text += (random() % 7 == 0 ? "" : std::to_string(random() % 100)) + ",";
    text += "level" + std::to_string(random() % 9) + "," + std::to_string(random() % 2) + "\n";
  }
  const std::string path = file("a.csv", text);
  for (const Missing missing : {Missing::drop, Missing::mean}) {
    ReadOptions options;
    options.label = "y";
    options.missing = missing;
    const auto table = open_both(path, options);
    EXPECT_GT(table->rows(), block_rows(4) * 5);
  }
}

TEST_F(IoOptionsTest, MemoryLimitIsExact) {
  const std::string path = file("a.csv", "a,b\n1,2\n3,4\n");
  EXPECT_FALSE(open(path, {}, 32)->in_memory().empty());
  EXPECT_TRUE(open(path, {}, 31)->in_memory().empty());
}

TEST_F(IoOptionsTest, ChangedFileIsNoticed) {
  const std::string path = file("a.csv", "a,b\n1,2\n3,4\n");
  const auto table = open(path, {}, 0);
  EXPECT_EQ(values(*table), (Columns{{1, 3}, {2, 4}}));
  std::ofstream(path, std::ios::app) << "5,6\n";
  EXPECT_EQ(message([&] { values(*table); }), "a.csv: the file changed while it was read");
}

TEST_F(IoOptionsTest, ReplacedFileIsNot) {
  const std::string path = file("a.csv", "a,b\n1,2\n3,4\n");
  const auto table = open(path, {}, 0);
  std::filesystem::rename(file("b.csv", "other"), path);
  EXPECT_EQ(values(*table), (Columns{{1, 3}, {2, 4}}));
}

TEST_F(IoOptionsTest, BadRange) {
  ReadOptions options;
  options.first_row = 0;
  EXPECT_NE(error(file("a.csv", "a\n1\n"), options), "no error");
}

class Stopper final : public Progress {
 public:
  void begin(std::string_view what, std::uint64_t total) override {
    what_ = what;
    total_ = total;
  }
  void advance(std::uint64_t done) override {
    done_ = done;
    if (stop_) throw Error("interrupted", Error::Kind::interrupted);
  }
  void end() override { ended_ = true; }

  std::string what_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  bool ended_ = false;
  bool stop_ = false;
};

TEST_F(IoOptionsTest, ProgressAndInterruption) {
  std::string text = "a,b\n";
  while (text.size() < (6U << 20U)) text += "1.25,7\n";
  const std::string path = file("a.csv", text);
  Stopper progress;
  EXPECT_NE(open_table(path, {}, progress).source, nullptr);
  EXPECT_EQ(progress.what_, "reading " + path);
  EXPECT_EQ(progress.total_, text.size());
  EXPECT_EQ(progress.done_, text.size());
  EXPECT_TRUE(progress.ended_);
  progress.stop_ = true;
  try {
    const auto table = open_table(path, {}, progress).source;
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::interrupted);
  }
  const auto table = open(path);
  EXPECT_THROW(write_table(this->path("b.parquet"), *table, {0, 1}, progress), Error);
  EXPECT_FALSE(std::filesystem::exists(this->path("b.parquet")));
}

TEST(IoCellText, NumbersRoundTrip) {
  EXPECT_EQ(io::number_text(100000), "100000");
  EXPECT_EQ(io::number_text(-0.0), "0");
  EXPECT_EQ(io::number_text(0.1), "0.1");
  EXPECT_EQ(io::number_text(1e300), "1e+300");
  EXPECT_EQ(io::number_text(-3), "-3");
  double value = 0;
  EXPECT_TRUE(io::parse_number(io::number_text(M_PI), value));
  EXPECT_EQ(value, M_PI);
  for (const char* text : {"", " ", "+", "+-1", "1,5", "1.5x", "0x10", "abc", "--1"}) {
    EXPECT_FALSE(io::parse_number(text, value)) << text;
  }
}

}  // namespace
}  // namespace fsieve::io_test
