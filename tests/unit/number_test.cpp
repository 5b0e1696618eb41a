#include "base/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/number_text.h"
#include "data/label.h"
#include "fsieve/equation.h"
#include "methods/junta/sign_features.h"
#include "table/cell_text.h"
#include "table/decimal_comma.h"
#include "table/signed_number.h"
#include "unit/comma_locale.h"

namespace fsieve {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(NumberText, ASmallNumberHasItsSizeAndASmallShareIsNone) {
  EXPECT_EQ(short_number(1.25e-7), "1.2e-07");
  EXPECT_EQ(share_number(1.25e-7), "0.0000");
  EXPECT_EQ(share_number(-2.2e-16), "0.0000");
  EXPECT_EQ(share_number(-0.5), "-0.5000");
  EXPECT_EQ(share_number(0.99999), "1.0000");
}

TEST(Number, IsTheWholeText) {
  EXPECT_EQ(number_in("12"), 12);
  EXPECT_EQ(number_in("-0.5"), -0.5);
  EXPECT_EQ(number_in("+.5e1"), 5);
  EXPECT_EQ(number_in("5."), 5);
  for (const char* const text : {"", " 1", "1 ", "1,5", "1e", "1e+", ".", "-", "+-1", "--1", "0x10",
                                 "nan", "NaN", "inf", "-inf", "infinity", "1e5x", "1_000"}) {
    EXPECT_FALSE(number_in(text)) << text;
  }
}

TEST(Number, TooSmallIsTheNearestTooLargeIsNone) {
  EXPECT_EQ(number_in("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(number_in("1e-400"), 0);
  EXPECT_TRUE(std::signbit(*number_in("-1e-400")));
  EXPECT_EQ(number_in("1e-99999999999999999999"), 0);
  EXPECT_EQ(number_in("0." + std::string(400, '0') + "1e30"), 0);
  EXPECT_FALSE(number_in("1e400"));
  EXPECT_FALSE(number_in("1e99999999999999999999"));
  // The sign of the exponent does not say on which side a number is out of range.
  EXPECT_FALSE(number_in("1" + std::string(400, '0') + "e-5"));
  EXPECT_EQ(leading_number("-1e400)").value, -infinity);
  EXPECT_EQ(leading_number("-1e400)").length, 6U);
}

TEST(Number, WholeNumbers) {
  EXPECT_EQ(whole_number_in<int>("+12"), 12);
  EXPECT_EQ(whole_number_in<int>("-12"), -12);
  for (const char* const text : {"", "+", "+-1", "1.0", "1e3", " 1", "99999999999999999999"}) {
    EXPECT_FALSE(whole_number_in<int>(text)) << text;
  }
  EXPECT_FALSE(whole_number_in<unsigned>("-1"));
}

TEST(Number, IsTheSameInEveryLocale) {
  const CommaLocale comma;
  if (!comma.set()) GTEST_SKIP() << kNoCommaLocale;
  EXPECT_EQ(number_in("1.5"), 1.5);
  EXPECT_FALSE(number_in("1,5"));
  EXPECT_EQ(short_number(1.25), "1.2500");
  double value = 0;
  EXPECT_TRUE(io::parse_number("1.5", value));
  EXPECT_EQ(value, 1.5);
}

TEST(Number, CellsKnowWordsBesides) {
  double value = 0;
  EXPECT_TRUE(io::parse_number(" -inf ", value));
  EXPECT_EQ(value, -infinity);
  EXPECT_TRUE(io::parse_number("NaN", value));
  EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(io::parse_number("1" + std::string(400, '0') + "e-5", value));
  EXPECT_EQ(value, infinity);
  for (const char* const text : {"", "+", "+-1", "infinite", "0x10", "1e"}) {
    EXPECT_FALSE(io::parse_number(text, value)) << text;
  }
}

// Both orders of classes are by value where all are numbers, and "nan" is none.
TEST(Number, ClassesAreOrderedAlike) {
  const auto first_class = [](const std::vector<std::string>& levels) {
    Schema schema;
    schema.features = {{"x", 0, ColumnKind::numeric, {}}};
    schema.label = Column{"y", 1, ColumnKind::categorical, levels};
    const MemorySource source(schema, {1, 2, 0, 1}, 2);
    return read_label(source, Task::automatic).classes[0];
  };
  for (const std::vector<std::string>& levels : {std::vector<std::string>{"+10", "9"},
                                                 {"0x10", "9"},
                                                 {"10", "9"},
                                                 {"5", "nan"},
                                                 {"inf", "nan"},
                                                 {"1e-400", "5"}}) {
    const bool swapped = value_before(levels[1], levels[0]);
    EXPECT_EQ(first_class(levels), levels[swapped ? 1 : 0]) << levels[0];
  }
  EXPECT_EQ(first_class({"0x10", "9"}), "0x10");
  EXPECT_EQ(first_class({"10", "9"}), "9");
}

TEST(Number, EquationsShowTheSmallestCoefficient) {
  const Equation equation{"y", {{5e-324, {"a"}}}, 1};
  EXPECT_EQ(to_text(equation), "y = 4.94e-324·a");
}

TEST(CommaNumber, OnlyWhatCanMeanNothingElseIsADecimal) {
  using io::comma_number;
  using io::CommaNumber;
  for (const char* text : {"12,5", "-0,125", "+3,1415", "1234,567", " 7,25 ", "1,5e-3", "2,5E6"}) {
    EXPECT_EQ(comma_number(text), CommaNumber::decimal) << text;
  }
  for (const char* text : {"1,234", "-123,456"}) {
    EXPECT_EQ(comma_number(text), CommaNumber::either) << text;
  }
  for (const char* text : {"1,234,567", "1,234.5", "1.234,5", "1.234.567", "1.234.567,25"}) {
    EXPECT_EQ(comma_number(text), CommaNumber::separated) << text;
  }
  for (const char* text : {"", ",", "12", "12,", ",5", "1,2,3", "1,2e", "1.5", "1.234", "a,5",
                           "31.12.2024", "1,5,", "1234,567,890", "-"}) {
    EXPECT_EQ(comma_number(text), CommaNumber::none) << text;
  }
}

TEST(SignedNumber, MoneyAndPercent) {
  for (const char* text : {"12%", "12.5 %", "-3,5%", "%5", "1,234%"}) {
    EXPECT_EQ(io::sign_beside_number(text), "%") << text;
  }
  for (const char* text : {"$3.50", "-$3", "$ -3", "3$", " $1,234.50 "}) {
    EXPECT_EQ(io::sign_beside_number(text), "$") << text;
  }
  EXPECT_EQ(io::sign_beside_number("€5"), "€");
  EXPECT_EQ(io::sign_beside_number("2‰"), "‰");
  for (const char* text : {"", "%", "$", "12", "$a", "12%%", "5%6", "-", "100 kg", "$%"}) {
    EXPECT_EQ(io::sign_beside_number(text), "") << text;
  }
}

TEST(CommaNumber, WithADecimalCommaNoPointIsRead) {
  const io::CellReader cells({"-9,5"}, ',');
  double value = 0;
  EXPECT_EQ(cells.classify("12,5", value), io::CellKind::number);
  EXPECT_EQ(value, 12.5);
  EXPECT_EQ(cells.classify("1,234", value), io::CellKind::number);
  EXPECT_EQ(value, 1.234);
  EXPECT_EQ(cells.classify("17", value), io::CellKind::number);
  EXPECT_EQ(cells.classify("-9,50", value), io::CellKind::missing);
  for (const char* text : {"12.5", "1.234", "1.234,5", "1,234,567", "1,5,2"}) {
    EXPECT_EQ(cells.classify(text, value), io::CellKind::text) << text;
  }
}

}  // namespace
}  // namespace fsieve
