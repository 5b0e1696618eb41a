// Every format there and back, and files that other programs wrote.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>

#include "io_test_util.h"
#include "io_testdata.h"

namespace fsieve::io_test {
namespace {

using ::testing::HasSubstr;

class IoFormatsTest : public IoTest {
 protected:
  static std::unique_ptr<Source> sample(std::size_t rows, bool text) {
    Schema schema;
    schema.features = {{"a", 0, ColumnKind::numeric, {}}, {"b, \"q\"", 1, ColumnKind::numeric, {}}};
    if (text) {
      schema.features.push_back(
          {"c", 2, ColumnKind::categorical, {"a,b", "line\nbreak", "plain", "qu\"ote"}});
    }
    std::vector<double> table;
    for (std::size_t i = 0; i < rows; ++i) table.push_back(static_cast<double>(i));
    for (std::size_t i = 0; i < rows; ++i) table.push_back(std::sin(static_cast<double>(i)) / 3);
    for (std::size_t i = 0; text && i < rows; ++i) table.push_back(static_cast<double>(i % 4));
    return std::make_unique<MemorySource>(schema, table, rows);
  }

  void write(const std::string& path, const Source& source,
             const std::vector<std::size_t>& columns) {
    NoProgress progress;
    write_table(path, source, columns, progress);
  }
};

class IoNpyTest : public IoFormatsTest {
 protected:
  [[nodiscard]] bool needs_arrow() const override { return false; }
};

TEST_F(IoFormatsTest, RoundTrip) {
  const auto source = sample(10000, true);
  for (const char* name : {"t.csv", "t.tsv", "t.csv.gz", "t.csv.zst", "t.tsv.gz", "t.TSV.ZST",
                           "t.parquet", "t.feather", "t.arrow"}) {
    write(path(name), *source, {0, 1, 2});
    for (const std::size_t memory : {std::size_t{1} << 30U, std::size_t{0}}) {
      const auto table = open(path(name), {}, memory);
      EXPECT_EQ(names(*table), names(*source)) << name;
      EXPECT_EQ(table->schema().features[2].levels, source->schema().features[2].levels) << name;
      EXPECT_EQ(values(*table), values(*source)) << name;
    }
  }
}

TEST_F(IoNpyTest, RoundTrip) {
  const auto source = sample(10000, false);
  write(path("t.npy"), *source, {1, 0});
  for (const std::size_t memory : {std::size_t{1} << 30U, std::size_t{0}}) {
    const auto table = open(path("t.npy"), {}, memory);
    EXPECT_EQ(names(*table), (Texts{"x1", "x2"}));
    const auto expected = values(*source);
    EXPECT_EQ(values(*table), (Columns{expected[1], expected[0]}));
  }
  EXPECT_EQ(message([&] {
              write(path("u.npy"), *sample(4, true), {0, 2});
            }),
            "u.npy: column \"c\" is not of numbers, and NPY files hold only numbers");
  EXPECT_FALSE(std::filesystem::exists(path("u.npy")));
}

TEST_F(IoFormatsTest, CsvText) {
  write(path("t.csv"), *sample(3, true), {2, 0, 1});
  EXPECT_EQ(contents(path("t.csv")),
            "c,a,\"b, \"\"q\"\"\"\n\"a,b\",0,0\n\"line\nbreak\",1,0.2804903282692988\n"
            "plain,2,0.3030991422752272\n");
}

TEST_F(IoFormatsTest, JsonText) {
  write(path("t.json"), *sample(2, true), {0, 2});
  EXPECT_EQ(contents(path("t.json")),
            "[\n{\"a\":0,\"c\":\"a,b\"},\n{\"a\":1,\"c\":\"line\\u000abreak\"}\n]\n");
}

TEST_F(IoFormatsTest, UnknownExtension) {
  try {
    write(path("t.xlsx"), *sample(2, false), {0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_THAT(error.what(), HasSubstr(".csv .tsv .csv.gz"));
  }
}

TEST_F(IoFormatsTest, FullDiskAndMissingFolder) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  EXPECT_THAT(message([] { write_file_atomically("/dev/full", "text"); }),
              HasSubstr("/dev/full: cannot be written: no space left on device"));
  for (const char* name : {"t.csv", "t.csv.gz", "t.parquet", "t.feather"}) {
    std::filesystem::create_symlink("/dev/full", path(name));
    EXPECT_THAT(message([&] {
                  write(path(name), *sample(50000, true), {0, 1, 2});
                }),
                HasSubstr("no space left on device"))
        << name;
  }
  EXPECT_EQ(message([&] { write_file_atomically(path("no/t.json"), "text"); }),
            "no/t.json: cannot be written: no such file or directory");
}

TEST_F(IoFormatsTest, OutputIsWholeOrNotThere) {
  const std::string target = file("t.json", "old");
  write_file_atomically(target, "new");
  EXPECT_EQ(contents(target), "new");
  std::filesystem::create_symlink(target, path("link.json"));
  write_file_atomically(path("link.json"), "newer");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(contents(target), "newer");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2U);
}

TEST_F(IoFormatsTest, TypesOfOtherPrograms) {
  for (const auto& [name, bytes] :
       {std::pair{"t.parquet", kTypesParquet}, std::pair{"t.feather", kTypesFeather},
        std::pair{"t.arrows", kTypesStream}}) {
    const std::string path = file(name, from_base64(bytes));
    EXPECT_THAT(error(path), HasSubstr(std::string(name) + ": column \"list\" has type list<"));
    EXPECT_THAT(error(path), HasSubstr("neither number nor text (leave it out: --exclude list)"));
    ReadOptions options;
    options.exclude = {"when", "list", "none"};
    options.label = "int";
    EXPECT_THAT(error(path, options), HasSubstr("column \"real\", row 2: missing value"));
    options.missing = Missing::mean;
    options.label = "view";
    options.na = {"NA"};
    for (const std::size_t memory : {std::size_t{1} << 30U, std::size_t{0}}) {
      const auto table = open(path, options, memory);
      EXPECT_EQ(names(*table), (Texts{"int", "big", "half", "real", "flag", "money", "colour",
                                      "grade", "digits"}));
      EXPECT_EQ(table->schema().features[6].levels, (Texts{"blue", "red"}));
      EXPECT_EQ(table->schema().features[7].levels, (Texts{"a", "b"}));
      EXPECT_EQ(table->schema().features[8].kind, ColumnKind::numeric);
      EXPECT_EQ(table->schema().label->levels, (Texts{"u", "v", "w"}));
      const double real = (0.1 + 2.5 - 1) / 3;
      EXPECT_EQ(values(*table), (Columns{{1, -2, 1, 4},
                                         {1, 2, 3, 4},
                                         {0.5, 1, -2, 65504},
                                         {0.1, real, 2.5, -1},
                                         {1, 0, 1, 2.0 / 3},
                                         {1.25, -0.5, 3, 1.25},
                                         {1, 0, 1, 1},
                                         {1, 0, 0, 0},
                                         {1, 2.5, 3, 4},
                                         {0, 1, 0, 2}}));
    }
    options.columns = {"none", "big"};
    options.exclude = {};
    EXPECT_THAT(error(path, options), HasSubstr("column \"none\" has no values"));
  }
}

TEST_F(IoFormatsTest, RowsOfParquet) {
  ReadOptions options;
  options.columns = {"big", "digits"};
  options.first_row = 2;
  options.last_row = 3;
  for (const auto& [name, bytes] :
       {std::pair{"t.parquet", kTypesParquet}, std::pair{"t.feather", kTypesFeather},
        std::pair{"t.arrows", kTypesStream}}) {
    const std::string path = file(name, from_base64(bytes));
    options.first_row = 2;
    options.last_row = 3;
    EXPECT_EQ(values(*open(path, options)), (Columns{{2, 3}, {2.5, 3}}));
    options.first_row = 4;
    options.last_row = 4;
    EXPECT_EQ(values(*open(path, options)), (Columns{{4}, {4}}));
    options.first_row = 5;
    options.last_row = UINT64_MAX;
    EXPECT_THAT(error(path, options), HasSubstr("the file has 4 data rows"));
  }
}

TEST_F(IoFormatsTest, MarksInTheFileSayTheFormat) {
  ReadOptions options;
  options.columns = {"big"};
  EXPECT_EQ(open(file("parquet", from_base64(kTypesParquet)), options)->rows(), 4U);
  EXPECT_EQ(open(file("t.bin", from_base64(kTypesFeather)), options)->rows(), 4U);
  EXPECT_EQ(open(file("stream", from_base64(kTypesStream)), options)->rows(), 4U);
  EXPECT_EQ(names(*open(file("t.csv", "PAR1,b\n1,2\n"))), (Texts{"PAR1", "b"}));
}

TEST_F(IoFormatsTest, CompressedTextWhateverTheName) {
  EXPECT_EQ(values(*open(file("t.csv", from_base64(kTwoMembersGzip)))), (Columns{{1, 3}, {2, 4}}));
}

TEST_F(IoFormatsTest, DamagedFiles) {
  const auto source = sample(20000, false);
  for (const char* name : {"t.csv.gz", "t.csv.zst", "t.parquet", "t.feather", "t.npy"}) {
    write(path(name), *source, {0, 1});
    std::string bytes = contents(path(name));
    bytes.resize(bytes.size() / 2);
    EXPECT_THAT(error(file(name, bytes)),
                ::testing::AllOf(::testing::StartsWith(name), HasSubstr("truncated")))
        << name;
  }
  EXPECT_EQ(error(file("a.parquet", "a,b\n1,2\n")),
            "a.parquet: not a Parquet file, or a damaged or truncated one");
  EXPECT_EQ(error(file("a.feather", "a,b\n1,2\n")),
            "a.feather: not a Feather or Arrow file, or a damaged or truncated one");
  EXPECT_EQ(error(file("a.npy", "a,b\n1,2\n")), "a.npy: not a NumPy file, or a damaged one");
}

// A .npy file with the given header and numbers.
template <typename Number>
std::string npy(const std::string& descr, bool fortran, const std::string& shape,
                const std::vector<Number>& numbers, int version = 1, bool swap = false) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }\n";
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  out += static_cast<char>(header.size());
  out += '\0';
  if (version > 1) out += std::string(2, '\0');
  out += header;
  for (const Number number : numbers) {
    std::string bytes(sizeof(Number), '\0');
    std::memcpy(bytes.data(), &number, sizeof(Number));
    if (swap) std::reverse(bytes.begin(), bytes.end());
    out += bytes;
  }
  return out;
}

TEST_F(IoNpyTest, Types) {
  const Columns expected{{1, 2, 3}, {4, 5, 6}};
  const auto check = [&](const std::string& bytes) {
    EXPECT_EQ(values(*open(file("t.npy", bytes))), expected) << bytes.substr(10, 20);
  };
  check(npy<double>("<f8", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<double>("<f8", true, "(3, 2)", {1, 2, 3, 4, 5, 6}, 2));
  check(npy<double>(">f8", true, "(3, 2)", {1, 2, 3, 4, 5, 6}, 3, true));
  check(npy<float>("<f4", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<std::int64_t>(">i8", false, "(3, 2)", {1, 4, 2, 5, 3, 6}, 1, true));
  check(npy<std::int32_t>("<i4", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<std::int16_t>(">i2", false, "(3, 2)", {1, 4, 2, 5, 3, 6}, 1, true));
  check(npy<std::int8_t>("|i1", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<std::uint64_t>("<u8", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<std::uint32_t>("<u4", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<std::uint16_t>("<u2", false, "(3, 2)", {1, 4, 2, 5, 3, 6}));
  check(npy<std::uint8_t>("|u1", true, "(3, 2)", {1, 2, 3, 4, 5, 6}));
  check(
      npy<std::uint16_t>("<f2", true, "(3, 2)", {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}));
  EXPECT_EQ(values(*open(file("t.npy", npy<char>("|b1", false, "(3,)", {1, 0, 1})))),
            (Columns{{1, 0, 1}}));
}

TEST_F(IoNpyTest, Errors) {
  EXPECT_THAT(error(file("a.npy", npy<double>("<f8", false, "(3, 2)", {1, 4, 2, 5, 3}))),
              HasSubstr("truncated (its header promises 3 rows of 2 columns)"));
  EXPECT_THAT(error(file("b.npy", npy<double>("<f8", false, "(1, 1, 1)", {1}))),
              HasSubstr("3 dimensions"));
  EXPECT_THAT(error(file("c.npy", npy<double>("<c16", false, "(1, 1)", {1, 2}))),
              HasSubstr("type <c16 are not supported"));
  EXPECT_THAT(error(file("d.npy", npy<double>("<f8", false, "(0, 2)", {}))),
              HasSubstr("no data rows"));
  EXPECT_EQ(error(file("h.npy", npy<double>("<f8", false, "(-60, 4)", {1, 2}))),
            "h.npy: a damaged NumPy file (its header says that the shape is (-60, 4))");
  for (const char* shape : {"(1.5, 2)", "(a, 2)", "(99999999999999999999, 2)", "(, 2)"}) {
    EXPECT_THAT(error(file("i.npy", npy<double>("<f8", false, shape, {1, 2}))),
                HasSubstr("damaged NumPy file"))
        << shape;
  }
  for (const char* type : {"<f-8", "<f", "<f8x", "<f 8"}) {
    EXPECT_EQ(error(file("j.npy", npy<double>(type, false, "(1, 2)", {1, 2}))),
              std::string("j.npy: NumPy arrays of type ") + type +
                  " are not supported (numbers of at most 64 bits and booleans are)");
  }
  EXPECT_THAT(error(file("k.npy", npy<double>("<f8", false, "(4294967296, 4294967296)", {1, 2}))),
              HasSubstr("more than 1000000 columns"));
  EXPECT_THAT(error(file("k.npy", npy<double>("<f8", false, "(18446744073709551615, 8)", {1, 2}))),
              HasSubstr("truncated"));
  std::string order = npy<double>("<f8", false, "(1, 2)", {1, 2});
  order.replace(order.find("False"), 5, "Maybe");
  EXPECT_THAT(error(file("l.npy", order)), HasSubstr("damaged"));
  EXPECT_EQ(values(*open(file("m.npy", npy<double>("<f8", false, "(2L, 1L)", {1, 2})))),
            (Columns{{1, 2}}));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error(file("e.npy", npy<double>("<f8", false, "(2, 2)", {1, 2, 3, inf}))),
            "e.npy: column \"x2\", row 2: infinite value");
  EXPECT_THAT(error(file("f.npy", npy<double>("<f8", false, "(2, 2)", {1, 2, NAN, 3}))),
              HasSubstr("column \"x1\", row 2: missing value"));
  ReadOptions options;
  options.first_row = 2;
  options.last_row = 2;
  EXPECT_EQ(
      values(*open(file("g.npy", npy<double>("<f8", true, "(3, 2)", {1, 2, 3, 4, 5, 6})), options)),
      (Columns{{2}, {5}}));
}

}  // namespace
}  // namespace fsieve::io_test
