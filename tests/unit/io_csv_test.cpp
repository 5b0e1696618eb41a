#include <gmock/gmock.h>

#include <string>

#include "io_test_util.h"

namespace fsieve::io_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class IoCsvTest : public IoTest {};

TEST_F(IoCsvTest, ReadsNumbersAndText) {
  const auto table = open(file("a.csv", "a,b,c\n1,red,0.5\n2,blue,1e3\n"));
  EXPECT_EQ(names(*table), (Texts{"a", "b", "c"}));
  EXPECT_EQ(table->rows(), 2U);
  EXPECT_EQ(table->schema().features[1].kind, ColumnKind::categorical);
  EXPECT_EQ(table->schema().features[1].levels, (Texts{"blue", "red"}));
  EXPECT_EQ(values(*table), (Columns{{1, 2}, {1, 0}, {0.5, 1000}}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(IoCsvTest, DetectsDelimiters) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const std::string d(1, delimiter);
    const auto table = open(file("a.txt", "a" + d + "b\n1" + d + "\"x,;|\ty\"\n2" + d + "z\n"));
    EXPECT_EQ(names(*table), (Texts{"a", "b"})) << delimiter;
    EXPECT_EQ(table->schema().features[1].levels[0], "x,;|\ty");
  }
}

TEST_F(IoCsvTest, DelimiterCanBeGiven) {
  ReadOptions options;
  options.delimiter = ':';
  EXPECT_EQ(names(*open(file("a.csv", "a,b:c\n1:2\n"), options)), (Texts{"a,b", "c"}));
  EXPECT_EQ(names(*open(file("a.tsv", "a,b\tc\n1\t2\n"))), (Texts{"a,b", "c"}));
  options.delimiter = '"';
  EXPECT_THAT(error(file("b.csv", "a\n1\n"), options), HasSubstr("delimiter"));
}

TEST_F(IoCsvTest, RowOfNumbersIsNoHeader) {
  const auto table = open(file("a.csv", "1.5,2\n3,4\n"));
  EXPECT_EQ(names(*table), (Texts{"x1", "x2"}));
  EXPECT_EQ(values(*table), (Columns{{1.5, 3}, {2, 4}}));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_[0], HasSubstr("no header row found"));
}

TEST_F(IoCsvTest, CountingRowIsHeader) {
  EXPECT_EQ(names(*open(file("a.csv", "0,1,2\n3,4,5\n"))), (Texts{"0", "1", "2"}));
  EXPECT_THAT(warnings_[0], HasSubstr("counts up from 0"));
  EXPECT_EQ(names(*open(file("b.csv", "1,2,3\n3,4,5\n"))), (Texts{"1", "2", "3"}));
  EXPECT_EQ(names(*open(file("c.csv", "2,3,4\n3,4,5\n"))), (Texts{"x1", "x2", "x3"}));
}

TEST_F(IoCsvTest, TwoFieldsThatCountUpMayBeData) {
  EXPECT_EQ(open(file("a.csv", "0,1\n1,0\n1,1\n"))->rows(), 3U);
  EXPECT_EQ(names(*open(file("b.csv", "0,1\n1.5,0.25\n"))), (Texts{"0", "1"}));
}

// What R writes of a table with names of rows.
TEST_F(IoCsvTest, TheCornerAboveNamesOfRowsIsEmpty) {
  EXPECT_EQ(names(*open(file("a.csv", "\"\",1940,1945\nfood,22.2,44.5\nhouse,10.5,15.5\n"))),
            (Texts{"x1", "1940", "1945"}));
  EXPECT_THAT(error(file("c.csv", "\"\",1940,1945\nfood,22.2\nhouse,10.5,15.5\n")),
              HasSubstr("row 1: expected 3 fields, found 2"));
  EXPECT_EQ(names(*open(file("b.csv", "\"\",x1,x2\n1,10,9\n2,8,7\n"))), (Texts{"x1_", "x1", "x2"}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(IoCsvTest, HeaderCanBeGiven) {
  ReadOptions options;
  options.header = false;
  const auto table = open(file("a.csv", "a,b\nc,d\n"), options);
  EXPECT_EQ(names(*table), (Texts{"x1", "x2"}));
  EXPECT_EQ(table->rows(), 2U);
  options.header = true;
  EXPECT_EQ(names(*open(file("b.csv", "7,8\n1,2\n"), options)), (Texts{"7", "8"}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(IoCsvTest, ByteOrderMarkLineEndsQuotes) {
  const auto table = open(file("a.csv",
                               "\xEF\xBB\xBF\"a\"\"x\", b ,\"c\nd\"\r\n"
                               "\"1\",\"two\nlines\",3\r\n+2, 5 ,\"say \"\"hi\"\"\"\r\n"
                               "3,\"two\nlines\",x"));
  EXPECT_EQ(names(*table), (Texts{"a\"x", "b", "c\nd"}));
  EXPECT_EQ(table->rows(), 3U);
  EXPECT_EQ(values(*table)[0], (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(table->schema().features[1].levels, (Texts{" 5 ", "two\nlines"}));
  EXPECT_EQ(table->schema().features[2].levels, (Texts{"3", "say \"hi\"", "x"}));
}

TEST_F(IoCsvTest, OldMacLineEndsAndBlankLines) {
  EXPECT_EQ(values(*open(file("a.csv", "a,b\r1,2\r3,4\r"))), (Columns{{1, 3}, {2, 4}}));
  EXPECT_EQ(values(*open(file("b.csv", "\n\na,b\n\n1,2\n\n3,4\n\n"))), (Columns{{1, 3}, {2, 4}}));
}

TEST_F(IoCsvTest, QuotedLineEndsAcrossBlocks) {
  std::string text = "t,n\n";
  for (int i = 0; i < 200000; ++i) text += "\"a\nb,\"\"c\"," + std::to_string(i) + "\n";
  ASSERT_GT(text.size(), 3U << 20U);
  const auto table = open(file("a.csv", text));
  EXPECT_EQ(table->rows(), 200000U);
  EXPECT_EQ(table->schema().features[0].levels, (Texts{"a\nb,\"c"}));
  EXPECT_EQ(values(*table)[1][123456], 123456);
}

TEST_F(IoCsvTest, DecimalsAfterManyIntegers) {
  std::string text = "a,b\n";
  while (text.size() < (5U << 19U)) text += "12,7\n";
  const auto table = open(file("a.csv", text + "1.5,7\n"));
  EXPECT_EQ(table->schema().features[0].kind, ColumnKind::numeric);
  EXPECT_EQ(values(*table)[0].back(), 1.5);
}

TEST_F(IoCsvTest, TextAfterManyNumbersMakesLevelsAsSpelled) {
  std::string text = "a,b\n";
  std::size_t rows = 0;
  for (; text.size() < (5U << 19U); ++rows) text += "012,7\n";
  for (std::size_t i = 0; i < rows / 4; ++i) text += "x1,7\n";
  for (const std::size_t memory : {std::size_t{1} << 30U, std::size_t{0}}) {
    const auto table = open(file("a.csv", text), {}, memory);
    EXPECT_EQ(table->schema().features[0].levels, (Texts{"012", "x1"}));
    EXPECT_EQ(values(*table)[0][0], 0);
    EXPECT_EQ(values(*table)[0].back(), 1);
  }
}

TEST_F(IoCsvTest, LateTextInNumbersNamesItsRow) {
  std::string text = "a,b\n";
  std::size_t rows = 0;
  for (; text.size() < (5U << 19U); ++rows) text += "12,7\n";
  EXPECT_EQ(error(file("a.csv", text + "oops,7\n")),
            "a.csv: column \"a\", row " + std::to_string(rows + 1) +
                ": \"oops\" is not a number (if it marks a missing value: --na oops; if these are "
                "names: --categorical a)");
}

TEST_F(IoCsvTest, NineInTen) {
  std::string text = "a,b\n";
  for (int i = 0; i < 9; ++i) text += "1,1\n";
  EXPECT_EQ(error(file("a.csv", text + "abc,1\n")),
            "a.csv: column \"a\", row 10: \"abc\" is not a number (if it marks a missing value: "
            "--na abc; if these are names: --categorical a)");
  const auto table = open(file("b.csv", text + "abc,1\ndef,1\n"));
  EXPECT_EQ(table->schema().features[0].kind, ColumnKind::categorical);
  EXPECT_EQ(table->schema().features[0].levels, (Texts{"1", "abc", "def"}));
}

TEST_F(IoCsvTest, MissingCellsDoNotCountForTheType) {
  ReadOptions options;
  options.missing = Missing::drop;
  options.na = {"NA"};
  const auto table = open(file("a.csv", "a,b\n1,1\nNA,1\n,1\nnan,1\n2,1\n"), options);
  EXPECT_EQ(table->schema().features[0].kind, ColumnKind::numeric);
  EXPECT_EQ(values(*table)[0], (std::vector<double>{1, 2}));
}

TEST_F(IoCsvTest, NumbersInManySpellings) {
  const auto table = open(file("a.csv",
                               "a\n+1\n -2 \n.5\n3.\n1E-2\n1e-999\n-0.0\n0x\n"
                               "1\n1\n1\n1\n1\n1\n1\n1\n1\n"),
                          [] {
                            ReadOptions options;
                            options.na = {"0x"};
                            options.missing = Missing::drop;
                            return options;
                          }());
  const auto column = values(*table)[0];
  EXPECT_EQ(std::vector<double>(column.begin(), column.begin() + 7),
            (std::vector<double>{1, -2, 0.5, 3, 0.01, 0, 0}));
}

TEST_F(IoCsvTest, InfinityIsAnError) {
  EXPECT_EQ(error(file("a.csv", "x\n1\n2\ninf\n")), "a.csv: column \"x\", row 3: infinite value");
  EXPECT_EQ(error(file("b.csv", "x\n1\n2\n-1e999\n")),
            "b.csv: column \"x\", row 3: infinite value");
}

TEST_F(IoCsvTest, RaggedRows) {
  EXPECT_EQ(error(file("a.csv", "a,b,c\n1,2,3\n1,2\n")),
            "a.csv: row 2: expected 3 fields, found 2");
  EXPECT_EQ(error(file("b.csv", "a,b,c\n1,2,3,4,5\n")), "b.csv: row 1: expected 3 fields, found 5");
  EXPECT_EQ(error(file("r.csv", "a,b,c\nr1,2,3,4\n")),
            "r.csv: row 1: expected 3 fields, found 4 (the first line has one name too few: if "
            "rows begin with their own names, as R writes them, put a name for these in front)");
  std::string text = "a,b\n";
  std::size_t rows = 0;
  for (; text.size() < (5U << 20U); ++rows) text += "12,7\n";
  EXPECT_EQ(error(file("c.csv", text + "1\n")),
            "c.csv: row " + std::to_string(rows + 1) + ": expected 2 fields, found 1");
}

TEST_F(IoCsvTest, RaggedRowBehindTheLastOneWanted) {
  ReadOptions options;
  options.last_row = 2;
  EXPECT_EQ(open(file("a.csv", "a,b\n1,2\n3,4\n5\n"), options)->rows(), 2U);
}

TEST_F(IoCsvTest, EmptyAndUnreadable) {
  EXPECT_EQ(error(file("a.csv", "")), "a.csv: the file is empty");
  EXPECT_EQ(error(file("b.csv", "a,b\n")), "b.csv: no data rows");
  EXPECT_EQ(error(file("c.csv", "\n\n")), "c.csv: no data rows");
  EXPECT_EQ(open(file("d.csv", "a,b\n1,2"))->rows(), 1U);
  EXPECT_EQ(error(path("none.csv")), "none.csv: cannot be opened: no such file or directory");
  std::filesystem::create_directory(path("none"));
  EXPECT_EQ(error(path("none")),
            "none: the folder has no tables in it (its own folders are not read)");
  EXPECT_EQ(error(file("book.xlsx", "PK\x03\x04...")),
            "book.xlsx: a ZIP archive, as workbooks are, and no table: save it as CSV");
  EXPECT_EQ(error(file("t.json", "[{\"a\": 1}]")),
            "t.json: no table is read from JSON: save it as CSV");
  EXPECT_EQ(error(file("e.csv", std::string("a,b\0\n1,2\n", 9))), "e.csv: not a text file");
  EXPECT_THAT(error(file("f.csv",
                         "\xFF\xFE"
                         "a")),
              HasSubstr("UTF-16"));
}

TEST_F(IoCsvTest, NulCellsAreNamedWhereTheirColumnIsUsed) {
  const std::string text("a,b\n1,2\n3,\0\n5,6\n", 16);
  EXPECT_EQ(error(file("a.csv", text)),
            "a.csv: column \"b\", row 2: the cell holds a NUL character, which no text has");
  ReadOptions options;
  options.columns = {"a"};
  EXPECT_EQ(values(*open(file("b.csv", text), options)), (Columns{{1, 3, 5}}));
}

TEST_F(IoCsvTest, BlankLinesOfOneColumnAreMissingValues) {
  const std::string text = "a\n1\n\n3\r\n\r\n\n5\n\n\n";
  EXPECT_EQ(
      error(file("a.csv", text)),
      "a.csv: column \"a\", row 2: missing value (--missing drop or --missing mean accept it)");
  ReadOptions options;
  options.missing = Missing::mean;
  EXPECT_EQ(values(*open(file("b.csv", text), options)), (Columns{{1, 3, 3, 3, 3, 5}}));
  options.missing = Missing::drop;
  EXPECT_EQ(values(*open(file("c.csv", text), options)), (Columns{{1, 3, 5}}));
  EXPECT_EQ(values(*open(file("d.csv", "a\n1\n2\n\n\n"))), (Columns{{1, 2}}));
}

TEST_F(IoCsvTest, BlankLinesAcrossBlocks) {
  ReadOptions options;
  options.missing = Missing::drop;
  const std::string blanks(3U << 20U, '\n');
  EXPECT_EQ(values(*open(file("a.csv", "a\n1\n" + blanks + "2\n" + blanks), options)),
            (Columns{{1, 2}}));
  options.first_row = 2;
  options.last_row = blanks.size() + 2;
  EXPECT_EQ(values(*open(file("b.csv", "a\n1\n" + blanks + "2\n" + blanks), options)),
            (Columns{{2}}));
}

TEST_F(IoCsvTest, TooManyColumns) {
  const std::string commas(1000001, ',');
  const std::string sentence =
      ": more than 1000000 columns, which no table that fsieve reads may have";
  EXPECT_EQ(error(file("a.csv", commas + "\n" + commas + "\n")), "a.csv" + sentence);
  EXPECT_EQ(error(file("b.csv", commas)), "b.csv" + sentence);
  ReadOptions options;
  options.delimiter = ';';
  EXPECT_EQ(error(file("c.csv", std::string(1000001, ';')), options), "c.csv" + sentence);
  EXPECT_THAT(error(file("d.csv", "a,b\n1,2\n" + commas + "\n")), HasSubstr("row 2: expected 2"));
}

TEST_F(IoCsvTest, CellsHaveALength) {
  const std::string cell((16U << 20U) + 1, 'x');
  EXPECT_EQ(
      error(file("a.csv", "a,b\n1,2\n3," + cell + "\n")),
      "a.csv: column \"b\", row 2: a cell is longer than 16 MiB (a quote that is never closed?)");
  EXPECT_EQ(error(file("b.csv", "a," + cell + "\n1,2\n")),
            "b.csv: the first row: a cell is longer than 16 MiB (a quote that is never closed?)");
}

TEST_F(IoCsvTest, UnclosedQuote) {
  EXPECT_EQ(error(file("a.csv", "a,b\n1,\"x\n2,y\n3,z\n")),
            "a.csv: a quoted field is not closed before the end of the file");
}

TEST_F(IoCsvTest, TwoColumnsOfOneName) {
  EXPECT_EQ(error(file("a.csv", "a,b,a\n1,2,3\n")), "a.csv: columns 1 and 3 are both named \"a\"");
}

TEST_F(IoCsvTest, TextMustBeUtf8) {
  EXPECT_THAT(error(file("a.csv", "a\n\xE9t\xE9\nb\n")), HasSubstr("not UTF-8"));
  EXPECT_EQ(open(file("b.csv", "a\nété\nb\n"))->schema().features[0].levels, (Texts{"b", "été"}));
}

TEST_F(IoCsvTest, TooManyLevels) {
  std::string text = "id,v\n";
  for (int i = 0; i < 1000; ++i) text.append("u").append(std::to_string(i)).append(",1\n");
  EXPECT_EQ(open(file("a.csv", text))->schema().features[0].levels.size(), 1000U);
  EXPECT_EQ(error(file("b.csv", text + "more,1\n")),
            "b.csv: column \"id\" has more than 1000 levels (leave it out: --exclude id)");
  ReadOptions options;
  options.exclude = {"id"};
  EXPECT_EQ(names(*open(path("b.csv"), options)), (Texts{"v"}));
}

TEST_F(IoCsvTest, WideRows) {
  std::string header;
  std::string row;
  for (int j = 0; j < 60000; ++j) {
    header += (j > 0 ? ",c" : "c") + std::to_string(j);
    row += j > 0 ? ",0.125" : "0.125";
  }
  const auto table = open(file("a.csv", header + "\n" + row + "\n" + row + "\n"));
  EXPECT_EQ(table->schema().columns(), 60000U);
  EXPECT_EQ(table->rows(), 2U);
}

}  // namespace
}  // namespace fsieve::io_test
