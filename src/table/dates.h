// Days since 1970-01-01 (UTC), and the parts of them that come back.
// docs/data.md names them.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace fsieve::io::inline table {

enum class DatePart {
  day,      // days since 1970-01-01, the time of day as a fraction
  month,    // 1 to 12
  weekday,  // 1 (Monday) to 7
  hour      // hours since midnight, below 24
};

// Those that are columns beside the days.
inline constexpr std::array kDateParts{DatePart::month, DatePart::weekday, DatePart::hour};

[[nodiscard]] double part_of(double days, DatePart part);

// The name of a part: "when.month".
[[nodiscard]] std::string part_name(std::string_view column, DatePart part);

// A name that part_name may have made.
struct NamedPart {
  std::string column;
  DatePart part;
};
[[nodiscard]] std::optional<NamedPart> named_part(std::string_view name);

// Sees the days of a column.
class DateScan {
 public:
  void add(double days);
  void merge(const DateScan& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);

  [[nodiscard]] double mean(DatePart part) const;

  // A part is worth a column where its circle is run through: months where the dates span more than
  // a year, weekdays more than a week, hours more than a day. Else it says what the days say.
  [[nodiscard]] bool comes_back(DatePart part) const;

 private:
  struct Range {
    double sum = 0;
    double least = 0;
    double most = 0;
  };
  [[nodiscard]] const Range& range(DatePart part) const {
    return ranges_[static_cast<std::size_t>(part)];
  }

  std::size_t count_ = 0;
  std::array<Range, 4> ranges_;
};

}  // namespace fsieve::io::table
