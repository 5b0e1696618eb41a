#include "table/dates.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/binary_lists.h"
#include "table/cell_text.h"

namespace fsieve::io::inline table {
namespace {

constexpr double kHours = 24;
constexpr double kMinutes = kHours * 60;
constexpr double kSeconds = kMinutes * 60;

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

  // A number of exactly so many digits, from 0 to `most`.
  bool digits(std::size_t count, int most, int& number) {
    if (text_.size() < count) return false;
    number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return false;
      number = number * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return number <= most;
  }

  // The digits behind a point.
  double fraction() {
    double value = 0;
    for (double place = 0.1; front() >= '0' && front() <= '9'; place /= 10) {
      value += place * (front() - '0');
      text_.remove_prefix(1);
    }
    return value;
  }

 private:
  std::string_view text_;
};

bool read_day(DateText& text, double& days) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!text.digits(4, 9999, year)) return false;
  const char between = text.skip('/') ? '/' : '-';  // 2012/01/31 can mean nothing else
  if (between == '-' && !text.skip('-')) return false;
  if (!text.digits(2, 12, month) || !text.skip(between) || !text.digits(2, 31, day)) return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

bool read_time(DateText& text, double& days) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!text.digits(2, 23, hour) || !text.skip(':') || !text.digits(2, 59, minute)) return false;
  double part = 0;
  if (text.skip(':')) {
    if (!text.digits(2, 60, second)) return false;
    if (text.skip('.')) part = text.fraction();
  }
  days += hour / kHours + minute / kMinutes + (second + part) / kSeconds;
  return true;
}

// "Z", "+02", "+0200", "+02:00": how far the clock was ahead of UTC.
bool read_offset(DateText& text, double& days) {
  if (text.at_end() || text.skip('Z')) return true;
  const char sign = text.front();
  int hour = 0;
  int minute = 0;
  if (!text.skip('+') && !text.skip('-')) return false;
  if (!text.digits(2, 23, hour)) return false;
  (void)text.skip(':');
  if (!text.at_end() && !text.digits(2, 59, minute)) return false;
  const double ahead = hour / kHours + minute / kMinutes;
  days += sign == '-' ? ahead : -ahead;
  return true;
}

double month_of(double day) {
  // Beyond this the calendar of the standard library ends.
  constexpr double furthest = 1e7;
  if (std::abs(day) > furthest) return 1;
  const std::chrono::sys_days date{std::chrono::days(static_cast<int>(day))};
  return static_cast<double>(unsigned{std::chrono::year_month_day(date).month()});
}

double weekday_of(double day) {
  constexpr double thursday = 3;  // 1970-01-01, from Monday
  const double days = day + thursday;
  return days - 7 * std::floor(days / 7) + 1;
}

std::string_view word(DatePart part) {
  switch (part) {
    case DatePart::month:
      return "month";
    case DatePart::weekday:
      return "weekday";
    case DatePart::hour:
      return "hour";
    case DatePart::day:
      break;
  }
  return "day";
}

}  // namespace

bool parse_date(std::string_view text, double& days) {
  DateText rest(trim_blanks(text));
  if (!read_day(rest, days)) return false;
  if (rest.at_end()) return true;
  if (!rest.skip('T') && !rest.skip(' ')) return false;
  return read_time(rest, days) && read_offset(rest, days) && rest.at_end();
}

double part_of(double days, DatePart part) {
  if (part == DatePart::day || std::isnan(days)) return days;
  // A time that is no binary fraction may lie a hair before the hour, or before midnight.
  constexpr double per_day = kSeconds * 1000;
  double day = std::floor(days);
  double time = std::round((days - day) * per_day);
  if (time >= per_day) {
    day += 1;
    time = 0;
  }
  if (part == DatePart::hour) return time / (per_day / kHours);
  return part == DatePart::month ? month_of(day) : weekday_of(day);
}

std::string part_name(std::string_view column, DatePart part) {
  return std::string(column) + "." + std::string(word(part));
}

std::optional<NamedPart> named_part(std::string_view name) {
  const std::size_t point = name.rfind('.');
  if (point == std::string_view::npos) return std::nullopt;
  for (const DatePart part : kDateParts) {
    if (name.substr(point + 1) == word(part))
      return NamedPart{std::string(name.substr(0, point)), part};
  }
  return std::nullopt;
}

void DateScan::add(double days) {
  for (std::size_t p = 0; p < ranges_.size(); ++p) {
    const double value = part_of(days, static_cast<DatePart>(p));
    Range& range = ranges_[p];
    range.sum += value;
    range.least = count_ == 0 ? value : std::min(range.least, value);
    range.most = count_ == 0 ? value : std::max(range.most, value);
  }
  ++count_;
}

void DateScan::merge(const DateScan& other) {
  if (other.count_ == 0) return;
  for (std::size_t p = 0; p < ranges_.size(); ++p) {
    const Range& more = other.ranges_[p];
    Range& range = ranges_[p];
    range.sum += more.sum;
    range.least = count_ == 0 ? more.least : std::min(range.least, more.least);
    range.most = count_ == 0 ? more.most : std::max(range.most, more.most);
  }
  count_ += other.count_;
}

void DateScan::save(std::ostream& out) const {
  save_count(out, count_);
  for (const Range& range : ranges_) {
    for (const double value : {range.sum, range.least, range.most}) save_value(out, value);
  }
}

void DateScan::load(std::istream& in) {
  std::uint64_t count = 0;
  load_value(in, count);
  count_ = count;
  for (Range& range : ranges_) {
    for (double* const value : {&range.sum, &range.least, &range.most}) load_value(in, *value);
  }
}

double DateScan::mean(DatePart part) const {
  return count_ == 0 ? 0 : range(part).sum / static_cast<double>(count_);
}

bool DateScan::comes_back(DatePart part) const {
  if (count_ == 0 || range(part).least == range(part).most) return false;
  constexpr double year = 366;
  constexpr double week = 7;
  const double span = range(DatePart::day).most - range(DatePart::day).least;
  return span > (part == DatePart::month ? year : part == DatePart::weekday ? week : 1);
}

}  // namespace fsieve::io::table
