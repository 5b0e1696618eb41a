// Which style the dates of a column of text keep to, found as its texts are seen.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "table/date_text.h"
#include "table/dates.h"

namespace fsieve::io::inline table {

class ColumnDates {
 public:
  // The days that a text means in each style, as far as it is one of those that are left.
  using Days = std::array<double, kDateStyles.size()>;

  // Styles in which the text is no date are ruled out. False when none is left.
  bool read(std::string_view text, Days& days);

  void add(const Days& days);
  // A value of a column whose type says that it holds days.
  void add(double days) { scan_of(DateStyle::certain).add(days); }

  void merge(const ColumnDates& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);

  // None: two are left, since no day is above 12, or none.
  [[nodiscard]] std::optional<DateStyle> style() const;
  [[nodiscard]] bool may_be_either() const;
  [[nodiscard]] const DateScan& scan(DateStyle style) const {
    return scans_[static_cast<std::size_t>(style)];
  }

 private:
  [[nodiscard]] DateScan& scan_of(DateStyle style) {
    return scans_[static_cast<std::size_t>(style)];
  }
  [[nodiscard]] std::size_t left() const;

  std::array<bool, kDateStyles.size()> possible_{true, true, true};
  std::array<DateScan, kDateStyles.size()> scans_;
};

}  // namespace fsieve::io::table
