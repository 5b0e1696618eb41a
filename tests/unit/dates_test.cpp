// Dates become days and parts.
#include "table/dates.h"

#include <gtest/gtest.h>

#include <string>

namespace fsieve::io {
namespace {

double days(const char* text) {
  double value = -1;
  EXPECT_TRUE(parse_date(text, value)) << text;
  return value;
}

TEST(Dates, AreDaysSince1970) {
  EXPECT_EQ(days("1970-01-01"), 0);
  EXPECT_EQ(days("1969-12-31"), -1);
  EXPECT_EQ(days("1970/01/02 12:00"), 1.5);
  EXPECT_EQ(days("2000-03-01"), 11017);
  EXPECT_EQ(days("2024-02-29"), 19782);
  EXPECT_EQ(days(" 1970-01-02T12:00 "), 1.5);
  EXPECT_EQ(days("1970-01-02 06:00:00"), 1.25);
  EXPECT_EQ(days("1970-01-02T12:00:00Z"), 1.5);
  EXPECT_EQ(days("1970-01-02T12:00:00+06:00"), 1.25);
  EXPECT_EQ(days("1970-01-02T12:00:00-0600"), 1.75);
  EXPECT_DOUBLE_EQ(days("1970-01-01T00:00:43.2"), 43.2 / 86400);
}

TEST(Dates, NothingElseIsOne) {
  double value = 0;
  for (const char* text :
       {"", "1970", "1970-1-1", "2023-02-29", "1970-13-01", "1970-00-10", "1970-01-01T",
        "1970-01-01T25:00", "1970-01-01T12", "1970-01-01 12:00x", "01/02/1970", "1970/01-02",
        "1970-01/02", "1970-01-01T12:00+", "1970-01-01x", "19700101"}) {
    EXPECT_FALSE(parse_date(text, value)) << text;
  }
}

TEST(Dates, HaveParts) {
  const double when = days("2024-02-29T18:30");  // a Thursday
  EXPECT_EQ(part_of(when, DatePart::month), 2);
  EXPECT_EQ(part_of(when, DatePart::weekday), 4);
  EXPECT_EQ(part_of(when, DatePart::hour), 18.5);
  EXPECT_EQ(part_of(days("1969-12-28"), DatePart::weekday), 7);
  EXPECT_EQ(part_of(days("1969-12-28"), DatePart::month), 12);
  // Thirds of a day are no binary fractions.
  for (const char* text :
       {"2024-03-01T00:00", "2024-03-01T08:00", "2024-03-01T16:00", "1950-03-01T08:00"}) {
    EXPECT_EQ(part_of(days(text), DatePart::month), 3) << text;
    EXPECT_EQ(part_of(days(text), DatePart::hour), std::stod(std::string(text).substr(11, 2)))
        << text;
  }
  EXPECT_EQ(part_of(1e300, DatePart::month), 1);
}

TEST(Dates, PartsHaveNames) {
  EXPECT_EQ(part_name("when", DatePart::weekday), "when.weekday");
  const auto part = named_part("a.b.hour");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->column, "a.b");
  EXPECT_EQ(part->part, DatePart::hour);
  EXPECT_FALSE(named_part("hour"));
  EXPECT_FALSE(named_part("a.day"));
}

TEST(DateScan, PartsComeBackAfterTheirCircle) {
  DateScan scan;
  EXPECT_FALSE(scan.comes_back(DatePart::month));
  scan.add(days("2023-01-01"));
  scan.add(days("2023-01-03"));
  EXPECT_FALSE(scan.comes_back(DatePart::weekday));
  EXPECT_FALSE(scan.comes_back(DatePart::hour));
  scan.add(days("2023-01-18T12:00"));
  EXPECT_TRUE(scan.comes_back(DatePart::weekday));
  EXPECT_TRUE(scan.comes_back(DatePart::hour));
  EXPECT_FALSE(scan.comes_back(DatePart::month));
  scan.add(days("2024-02-18"));
  EXPECT_TRUE(scan.comes_back(DatePart::month));
  EXPECT_EQ(scan.mean(DatePart::hour), 3);
}

}  // namespace
}  // namespace fsieve::io
