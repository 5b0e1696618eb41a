// Dates become days and parts.
#include "table/dates.h"

#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "table/column_dates.h"

namespace fsieve::io {
namespace {

double days(const char* text, DateStyle style = DateStyle::certain) {
  double value = -1;
  EXPECT_TRUE(parse_date(text, style, value)) << text;
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

TEST(Dates, ArePeoplesToo) {
  const double wanted = days("2024-05-03");
  for (const char* text : {"2024/5/3", "3-May-2024", "03-MAY-24", "3 May 2024", "03May2024",
                           "3may24", "3/May/2024", "May 3, 2024", "May 3 2024", "may 03, 2024"}) {
    EXPECT_EQ(days(text), wanted) << text;
  }
  EXPECT_EQ(days("Sept. 19, 2003"), days("19 September 2003"));
  EXPECT_EQ(days("1-Jan-69"), days("1969-01-01"));
  EXPECT_EQ(days("31-Dec-68"), days("2068-12-31"));
  for (const char* text : {"03/05/2024", "3/5/2024", "3/5/24", "3.5.2024", "03-05-2024"}) {
    EXPECT_EQ(days(text, DateStyle::day_first), wanted) << text;
  }
  for (const char* text : {"05/03/2024", "5/3/2024", "5/3/24", "05-03-2024"}) {
    EXPECT_EQ(days(text, DateStyle::month_first), wanted) << text;
  }
  EXPECT_EQ(days("5/3/2024 6:30 PM", DateStyle::month_first), days("2024-05-03T18:30"));
  EXPECT_EQ(days("5/3/2024 12:15am", DateStyle::month_first), days("2024-05-03T00:15"));
  EXPECT_EQ(days("3.5.2024 9:05", DateStyle::day_first), days("2024-05-03 09:05"));
}

TEST(Dates, OfLogsAndMailsToo) {
  const double wanted = days("2024-05-03 18:30:05");
  for (const char* text :
       {"2024-05-03 18:30:05,000", "20240503T183005", "20240503 183005", "20240503T183005Z",
        "20240503T203005+0200", "Fri, 03 May 2024 18:30:05 GMT", "Fri, 3 May 2024 20:30:05 +0200",
        "Friday, May 3, 2024 6:30:05 PM", "Fri May 03 18:30:05 2024", "Fri May  3 18:30:05 2024",
        "Fri May  3 18:30:05 UTC 2024", "Fri May 03 20:30:05 +0200 2024",
        "03/May/2024:18:30:05 +0000", "03MAY2024:18:30:05", "2024-05-03 18:30:05 +00:00",
        "2024-05-03 18:30:05 UTC"}) {
    EXPECT_EQ(days(text), wanted) << text;
  }
  EXPECT_DOUBLE_EQ(days("2024-05-03 18:30:05,250"), wanted + 0.25 / 86400);
  EXPECT_EQ(days("20240503T1830"), days("2024-05-03 18:30"));
  EXPECT_EQ(days("Fri 03/05/2024", DateStyle::day_first), days("2024-05-03"));
  double value = 0;
  for (const char* text :
       {"20240503", "20240503183005", "20240503T", "20240503T18", "20241303T183005", "Fri", "Fri,",
        "Fre, 03 May 2024", "May 3 18:30:05", "Fri May 3 18:30:05 CEST 2024",
        "2024-05-03 18:30:05 CEST", "2024-05-03:", "Friday 13", "20240503T18:30"}) {
    EXPECT_FALSE(parse_date(text, DateStyle::certain, value)) << text;
  }
}

TEST(Dates, HalvesOfTheDayHaveTwelveHours) {
  double value = 0;
  for (const char* text : {"2024-05-03 13:00 PM", "2024-05-03 0:30 am", "2024-05-03 6:30 xm"}) {
    EXPECT_FALSE(parse_date(text, DateStyle::certain, value)) << text;
  }
  EXPECT_EQ(days("2024-05-03 12:30 PM"), days("2024-05-03 12:30"));
}

TEST(Dates, NothingElseIsOneInAnyStyle) {
  double value = 0;
  for (const char* text :
       {"1/2",        "31.12",      "1.2.3",    "10-12-25",       "1/2/123",      "1/2/12345",
        "32/1/2024",  "31/4/2024",  "May 2024", "Mai 3, 2024",    "May 32, 2024", "3 May",
        "3-May 2024", "M 3, 2024",  "3/5-2024", "5/3/2024 25:00", "5/3/2024 6:3", "12",
        "a",          "3  May 2024"}) {
    for (const DateStyle style : kDateStyles) {
      EXPECT_FALSE(parse_date(text, style, value)) << text;
    }
  }
  EXPECT_FALSE(parse_date("5.3.2024", DateStyle::month_first, value));  // nobody writes so
}

// The style that a column of these texts has; seen in two parts as well as in one.
std::optional<DateStyle> style_of(const std::vector<const char*>& texts) {
  ColumnDates whole;
  ColumnDates first;
  ColumnDates second;
  bool dates = true;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    ColumnDates::Days days{};
    ColumnDates& half = t % 2 == 0 ? first : second;
    const bool of_half = half.read(texts[t], days);
    if (of_half) half.add(days);
    dates = whole.read(texts[t], days) && dates;
    if (dates) whole.add(days);
  }
  first.merge(second);
  EXPECT_EQ(first.style(), whole.style());
  std::stringstream bytes;
  whole.save(bytes);
  ColumnDates loaded;
  loaded.load(bytes);
  EXPECT_EQ(loaded.style(), whole.style());
  if (whole.style()) {
    EXPECT_EQ(first.scan(*whole.style()).mean(DatePart::day),
              loaded.scan(*whole.style()).mean(DatePart::day));
  }
  return whole.style();
}

TEST(Dates, OfAColumnKeepToOneStyle) {
  EXPECT_EQ(style_of({"01/02/2024", "31/01/2024"}), DateStyle::day_first);
  EXPECT_EQ(style_of({"01/02/2024", "01/31/2024"}), DateStyle::month_first);
  EXPECT_EQ(style_of({"01.02.2024", "02.03.2024"}), DateStyle::day_first);
  EXPECT_EQ(style_of({"2024-01-02", "3-Jan-2024"}), DateStyle::certain);
  EXPECT_EQ(style_of({"31/01/2024", "01/31/2024"}), std::nullopt);
  EXPECT_EQ(style_of({"2024-01-31", "01/31/2024"}), std::nullopt);
  EXPECT_EQ(style_of({}), std::nullopt);
}

TEST(Dates, MayBeReadInTwoWays) {
  ColumnDates dates;
  ColumnDates::Days days{};
  EXPECT_TRUE(dates.read("01/02/2024", days));
  EXPECT_TRUE(dates.read("12/12/2024", days));
  EXPECT_TRUE(dates.may_be_either());
  EXPECT_EQ(dates.style(), std::nullopt);
  EXPECT_TRUE(dates.read("13/12/2024", days));
  EXPECT_FALSE(dates.may_be_either());
}

TEST(Dates, NothingElseIsOne) {
  double value = 0;
  for (const char* text :
       {"", "1970", "1970-1-1", "2023-02-29", "1970-13-01", "1970-00-10", "1970-01-01T",
        "1970-01-01T25:00", "1970-01-01T12", "1970-01-01 12:00x", "01/02/1970", "1970/01-02",
        "1970-01/02", "1970-01-01T12:00+", "1970-01-01x", "19700101"}) {
    EXPECT_FALSE(parse_date(text, DateStyle::certain, value)) << text;
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
