#include "table/column_dates.h"

#include <algorithm>

#include "base/binary_lists.h"

namespace fsieve::io::inline table {

bool ColumnDates::read(std::string_view text, Days& days) {
  for (std::size_t s = 0; s < possible_.size(); ++s) {
    possible_[s] = possible_[s] && parse_date(text, kDateStyles[s], days[s]);
  }
  return left() > 0;
}

void ColumnDates::add(const Days& days) {
  for (std::size_t s = 0; s < possible_.size(); ++s) {
    if (possible_[s]) scans_[s].add(days[s]);
  }
}

void ColumnDates::merge(const ColumnDates& other) {
  for (std::size_t s = 0; s < possible_.size(); ++s) {
    possible_[s] = possible_[s] && other.possible_[s];
    scans_[s].merge(other.scans_[s]);
  }
}

void ColumnDates::save(std::ostream& out) const {
  for (const bool possible : possible_) save_flag(out, possible);
  for (const DateScan& scan : scans_) scan.save(out);
}

void ColumnDates::load(std::istream& in) {
  for (bool& possible : possible_) possible = load_flag(in);
  for (DateScan& scan : scans_) scan.load(in);
}

std::size_t ColumnDates::left() const {
  return static_cast<std::size_t>(std::count(possible_.begin(), possible_.end(), true));
}

std::optional<DateStyle> ColumnDates::style() const {
  if (left() != 1) return std::nullopt;
  const auto only = std::find(possible_.begin(), possible_.end(), true);
  return kDateStyles[static_cast<std::size_t>(only - possible_.begin())];
}

bool ColumnDates::may_be_either() const { return left() == 2; }

}  // namespace fsieve::io::table
