#include "table/dates.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/binary_lists.h"

namespace fsieve::io::inline table {
namespace {

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

double part_of(double days, DatePart part) {
  if (part == DatePart::day || std::isnan(days)) return days;
  // A time that is no binary fraction may lie a hair before the hour, or before midnight.
  constexpr double per_day = 24 * 60 * 60 * 1000;
  double day = std::floor(days);
  double time = std::round((days - day) * per_day);
  if (time >= per_day) {
    day += 1;
    time = 0;
  }
  if (part == DatePart::hour) return time / (per_day / 24);
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
  if (count_ == 0) return;
  for (const Range& range : ranges_) {
    for (const double value : {range.sum, range.least, range.most}) save_value(out, value);
  }
}

void DateScan::load(std::istream& in) {
  std::uint64_t count = 0;
  load_value(in, count);
  count_ = count;
  ranges_ = {};
  if (count_ == 0) return;
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
