#include "table/date_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "table/cell_text.h"

namespace fsieve::io::inline table {
namespace {

constexpr double kHours = 24;
constexpr double kMinutes = kHours * 60;
constexpr double kSeconds = kMinutes * 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

// Reads a text from left to right.
class DateText {
 public:
  explicit DateText(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] char front() const { return text_.empty() ? '\0' : text_.front(); }

  bool skip(char c) {
    if (front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // A number of so many digits, no more behind them, from 0 to `most`.
  bool digits(std::size_t fewest, std::size_t count, int most, int& number) {
    std::size_t length = 0;
    number = 0;
    for (; length < text_.size() && length < count && is_digit(text_[length]); ++length) {
      number = number * 10 + (text_[length] - '0');
    }
    text_.remove_prefix(length);
    return length >= fewest && !is_digit(front()) && number <= most;
  }

  // Exactly so many, whatever is behind them.
  bool digits(std::size_t count, int most, int& number) {
    if (text_.size() < count) return false;
    DateText own(text_.substr(0, count));
    text_.remove_prefix(count);
    return own.digits(count, count, most, number);
  }

  // The digits behind a point.
  double fraction() {
    double value = 0;
    for (double place = 0.1; is_digit(front()); place /= 10) {
      value += place * (front() - '0');
      text_.remove_prefix(1);
    }
    return value;
  }

  // The letters that come next, in lower case.
  std::string word() {
    std::string letters;
    for (; is_letter(front()); text_.remove_prefix(1)) letters += lower(front());
    return letters;
  }

 private:
  std::string_view text_;
};

bool day_of(int year, int month, int day, double& days) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

// Four digits, or (`may_be_short`) two: 69 to 99 are of the last century, as POSIX has it.
bool read_year(DateText& text, bool may_be_short, int& year) {
  DateText four = text;
  if (four.digits(4, 4, 9999, year)) {
    text = four;
    return true;
  }
  constexpr int first_of_last_century = 69;
  if (!may_be_short || !text.digits(2, 2, 99, year)) return false;
  year += year < first_of_last_century ? 2000 : 1900;
  return true;
}

// "2024-05-31", "2024/5/31": what begins with a year goes on with a month.
bool read_year_first(DateText& text, double& days) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!text.digits(4, 4, 9999, year)) return false;
  const bool slashes = text.skip('/');
  const char between = slashes ? '/' : '-';
  const std::size_t fewest = slashes ? 1 : 2;
  if (!slashes && !text.skip('-')) return false;
  return text.digits(fewest, 2, 12, month) && text.skip(between) &&
         text.digits(fewest, 2, 31, day) && day_of(year, month, day, days);
}

// "may", "sept", "september": the number of the month, 0 for any other word.
int month_named(std::string_view word) {
  static constexpr std::array<std::string_view, 12> names{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (word == names[m] || word == names[m].substr(0, 3)) return static_cast<int>(m) + 1;
  }
  constexpr int september = 9;
  return word == "sept" ? september : 0;
}

// "31-May-2024", "31 May 2024", "31MAY24".
bool read_named_second(DateText& text, double& days) {
  int day = 0;
  int year = 0;
  if (!text.digits(1, 2, 31, day)) return false;
  const char between = is_letter(text.front()) ? '\0' : text.front();
  if (between != '\0' && between != '-' && between != ' ' && between != '/') return false;
  if (between != '\0') (void)text.skip(between);
  const int month = month_named(text.word());
  if (month == 0 || (between != '\0' && !text.skip(between))) return false;
  return read_year(text, true, year) && day_of(year, month, day, days);
}

// "May 31, 2024".
bool read_named_first(DateText& text, double& days) {
  int day = 0;
  int year = 0;
  const int month = month_named(text.word());
  if (month == 0) return false;
  (void)text.skip('.');
  if (!text.skip(' ') || !text.digits(1, 2, 31, day)) return false;
  (void)text.skip(',');
  return text.skip(' ') && read_year(text, false, year) && day_of(year, month, day, days);
}

// "31/05/2024", "31-05-2024", "31.05.2024"; only slashes go with years of two digits, as codes of
// three small numbers have the others; nobody puts the month before points.
bool read_year_last(DateText& text, bool day_first, double& days) {
  int first = 0;
  int second = 0;
  int year = 0;
  if (!text.digits(1, 2, 31, first)) return false;
  const char between = text.front();
  if (between != '/' && between != '-' && (between != '.' || !day_first)) return false;
  if (!text.skip(between) || !text.digits(1, 2, 31, second) || !text.skip(between)) return false;
  if (!read_year(text, between == '/', year)) return false;
  return day_first ? day_of(year, second, first, days) : day_of(year, first, second, days);
}

bool read_day(DateText& text, DateStyle style, double& days) {
  if (style != DateStyle::certain) return read_year_last(text, style == DateStyle::day_first, days);
  const DateText whole = text;
  for (const auto& read : {read_year_first, read_named_second, read_named_first}) {
    text = whole;
    if (read(text, days)) return true;
  }
  return false;
}

// "AM" and "pm" behind a time, with or without a blank; nothing where there is neither.
bool read_half(DateText& text, int& hour) {
  constexpr int noon = 12;
  DateText after = text;
  (void)after.skip(' ');
  const std::string word = after.word();
  if (word != "am" && word != "pm") return true;
  text = after;
  if (hour < 1 || hour > noon) return false;
  hour = hour % noon + (word == "pm" ? noon : 0);
  return true;
}

bool read_time(DateText& text, double& days) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!text.digits(1, 2, 23, hour) || !text.skip(':') || !text.digits(2, 59, minute)) return false;
  double part = 0;
  if (text.skip(':')) {
    if (!text.digits(2, 60, second)) return false;
    if (text.skip('.') || text.skip(',')) part = text.fraction();
  }
  if (!read_half(text, hour)) return false;
  days += hour / kHours + minute / kMinutes + (second + part) / kSeconds;
  return true;
}

// "183005", "1830": only behind a date that is written so too.
bool read_compact_time(DateText& text, double& days) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  double part = 0;
  if (!text.digits(2, 23, hour) || !text.digits(2, 59, minute)) return false;
  if (is_digit(text.front())) {
    if (!text.digits(2, 60, second)) return false;
    if (text.skip('.') || text.skip(',')) part = text.fraction();
  }
  days += hour / kHours + minute / kMinutes + (second + part) / kSeconds;
  return true;
}

// "Z", "GMT", "UTC", "+02", "+0200", "+02:00": how far the clock was ahead of UTC.
bool read_zone(DateText& text, double& days) {
  if (is_letter(text.front())) {
    const std::string zone = text.word();
    return zone == "z" || zone == "gmt" || zone == "utc";
  }
  const char sign = text.front();
  int hour = 0;
  int minute = 0;
  if (!text.skip('+') && !text.skip('-')) return false;
  if (!text.digits(2, 23, hour)) return false;
  if ((text.skip(':') || is_digit(text.front())) && !text.digits(2, 59, minute)) return false;
  const double ahead = hour / kHours + minute / kMinutes;
  days += sign == '-' ? ahead : -ahead;
  return true;
}

// The zone at the end, if there is one.
bool read_offset(DateText& text, double& days) {
  if (text.at_end()) return true;
  (void)text.skip(' ');
  return read_zone(text, days);
}

// "Fri, ", "Friday ": which day of the week it was follows from the date.
void skip_weekday(DateText& text) {
  static constexpr std::array<std::string_view, 7> names{
      "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
  DateText after = text;
  const std::string word = after.word();
  const bool named = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return word == name || word == name.substr(0, 3);
  });
  if (!named) return;
  (void)after.skip(',');
  if (after.skip(' ')) text = after;
}

// "20240531T183005", "20240531 1830": without a time it would be a number.
bool read_compact(DateText text, double& days) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!text.digits(4, 9999, year) || !text.digits(2, 12, month) || !text.digits(2, 31, day)) {
    return false;
  }
  if (!day_of(year, month, day, days) || (!text.skip('T') && !text.skip(' '))) return false;
  return read_compact_time(text, days) && read_offset(text, days) && text.at_end();
}

// "May 31 18:30:05 2024", "May  3 18:30:05 +0200 2024": as the C library and `date` write it.
bool read_year_behind_time(DateText text, double& days) {
  int day = 0;
  int year = 0;
  double time = 0;
  const int month = month_named(text.word());
  if (month == 0 || !text.skip(' ')) return false;
  (void)text.skip(' ');
  if (!text.digits(1, 2, 31, day) || !text.skip(' ') || !read_time(text, time)) return false;
  if (!text.skip(' ')) return false;
  if (!is_digit(text.front()) && !(read_zone(text, time) && text.skip(' '))) return false;
  if (!read_year(text, false, year) || !text.at_end() || !day_of(year, month, day, days)) {
    return false;
  }
  days += time;
  return true;
}

}  // namespace

bool parse_date(std::string_view text, DateStyle style, double& days) {
  DateText rest(trim_blanks(text));
  skip_weekday(rest);
  if (style == DateStyle::certain &&
      (read_compact(rest, days) || read_year_behind_time(rest, days))) {
    return true;
  }
  if (!read_day(rest, style, days)) return false;
  if (rest.at_end()) return true;
  if (!rest.skip('T') && !rest.skip(' ') && !rest.skip(':')) return false;
  return read_time(rest, days) && read_offset(rest, days) && rest.at_end();
}

}  // namespace fsieve::io::table
