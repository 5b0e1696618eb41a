#include "table/row_numbers.h"

#include "base/binary_lists.h"
#include "table/set_aside.h"

namespace fsieve::io::inline table {

bool RowNumbers::too_few_values(std::span<const double> numbers) {
  const auto count = static_cast<double>(numbers.size());
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double number : numbers) {
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  return 2 * (most - least + 1) < count;  // whole ones: no more than that
}

bool RowNumbers::count_rows() const {
  if (!possible_ || count_ < kFewestNamedRows) return false;
  const auto count = static_cast<double>(count_);
  // Two thirds of the rows of a table that was numbered are numbered with gaps. Quantities lie
  // further apart, or repeat: 20 draws of 30 numbers are all different once in 50 000 times.
  constexpr double most_per_row = 1.5;
  if (most_ - least_ + 1 > most_per_row * count) return false;
  constexpr double share = 0.98;  // of counted values; estimates need room
  return distinct_.estimate() >= (distinct_.exact() ? share : kShareDistinct) * count;
}

void RowNumbers::merge(const RowNumbers& other) {
  if (!possible_ || !other.possible_) {
    give_up();
    return;
  }
  count_ += other.count_;
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  distinct_.merge(other.distinct_);
  if (count_ >= kLook && too_many()) give_up();
}

void RowNumbers::save(std::ostream& out) const {
  save_flag(out, possible_);
  save_value(out, count_);
  save_value(out, least_);
  save_value(out, most_);
  distinct_.save(out);
}

void RowNumbers::load(std::istream& in) {
  possible_ = load_flag(in);
  load_value(in, count_);
  load_value(in, least_);
  load_value(in, most_);
  distinct_.load(in);
}

}  // namespace fsieve::io::table
