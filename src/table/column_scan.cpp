#include "table/column_scan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "table/decimal_comma.h"
#include "table/missing_cells.h"
#include "table/signed_number.h"
#include "table/whole_number.h"

namespace fsieve::io::inline table {

void ColumnScan::add(const Cells& cells, std::uint64_t first_row, double* held) {
  beyond_exact_ = beyond_exact_ || cells.beyond_exact;
  if (cells.is_text) {
    add_text(cells, first_row, held);
  } else {
    add_numbers(cells, first_row, held);
  }
  // Numbers and positions of levels cannot be told apart afterwards.
  has_values_ = held != nullptr && has_values_ &&
                !(met_text_ && (met_numbers_ || as_levels_ || levels_full_));
}

void ColumnScan::add_numbers(const Cells& cells, std::uint64_t first_row, double* held) {
  met_numbers_ = true;
  const bool look_for_na = cells_->has_na_numbers();
  std::uint64_t count = 0;
  double sum = 0;
  for (std::size_t i = 0; i < cells.numbers.size(); ++i) {
    const double value = cells.numbers[i];
    const bool missing = look_for_na ? cells_->is_missing(value) : std::isnan(value);
    if (missing) {
      ++missing_count_;
      first_missing_ = std::min(first_missing_, first_row + i);
      if (held != nullptr) held[i] = missing_value;
      continue;
    }
    if (std::isinf(value)) first_infinite_ = std::min(first_infinite_, first_row + i);
    met_inexact_ = met_inexact_ || (passenger_ && is_beyond_exact(value));
    ++count;
    sum += value;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    if (!days_) row_numbers_.add(value);
    if (days_ && dates_possible_) dates_.add(value);
    if (as_levels_ && numbers_.size() <= most_levels_) ++numbers_[value];
    if (held != nullptr) held[i] = value;
  }
  number_count_ += count;
  sum_ += sum;
}

void ColumnScan::add_text(const Cells& cells, std::uint64_t first_row, double* held) {
  met_text_ = true;
  std::vector<CellKind> kinds(cells.texts.size());
  std::vector<double> numbers(cells.texts.size());
  std::vector<ColumnDates::Days> days(dates_possible_ ? cells.texts.size() : 0);
  for (std::size_t t = 0; t < cells.texts.size(); ++t) {
    kinds[t] = cells_->classify(cells.texts[t], numbers[t]);
    const bool beyond = kinds[t] == CellKind::number && is_beyond_exact(numbers[t]) &&
                        is_whole_text(cells.texts[t]);
    beyond_exact_ = beyond_exact_ || beyond;
    if (beyond && passenger_ && !as_levels_) kinds[t] = CellKind::text;
    if (kinds[t] == CellKind::text && dates_possible_) {
      dates_possible_ = dates_.read(cells.texts[t], days[t]);
    }
  }
  constexpr std::size_t none = SIZE_MAX;
  std::vector<std::size_t> positions(cells.texts.size(), none);
  double sum = 0;
  for (std::size_t i = 0; i < cells.codes.size(); ++i) {
    const std::uint64_t row = first_row + i;
    const std::int32_t code = cells.codes[i];
    const CellKind kind = code == Cells::kNull ? CellKind::missing : kinds[code];
    if (kind == CellKind::missing) {
      ++missing_count_;
      first_missing_ = std::min(first_missing_, row);
      if (held != nullptr) held[i] = missing_value;
      continue;
    }
    if (kind == CellKind::nan) {
      ++nan_count_;
      first_nan_ = std::min(first_nan_, row);
    } else if (kind == CellKind::number) {
      ++number_count_;
      sum += numbers[code];
      least_ = std::min(least_, numbers[code]);
      most_ = std::max(most_, numbers[code]);
      row_numbers_.add(numbers[code]);
      if (std::isinf(numbers[code])) first_infinite_ = std::min(first_infinite_, row);
    } else {
      ++text_count_;
      if (dates_possible_) dates_.add(days[code]);
      if (row < first_text_) {
        first_text_ = row;
        first_text_value_ = cells.texts[code];
      }
    }
    if (as_levels_ && kind != CellKind::text) {
      if (kind == CellKind::number && numbers_.size() <= most_levels_) ++numbers_[numbers[code]];
      continue;
    }
    if (positions[code] == none) {
      positions[code] = level_of(cells.texts[code]);
      if (!passenger_) distinct_texts_.add(hash_of(std::string_view(cells.texts[code])));
    }
    if (levels_full_) continue;
    ++text_counts_[positions[code]];
    if (held != nullptr) held[i] = static_cast<double>(positions[code]);
  }
  sum_ += sum;
}

std::size_t ColumnScan::level_of(const std::string& text) {
  if (levels_full_) return 0;
  const auto [entry, fresh] = texts_.emplace(text, texts_.size());
  const std::size_t position = entry->second;
  if (!fresh) return position;
  level_bytes_ += text.size() + kBytesBeside;
  if (more_than_can_be_kept()) {
    forget_levels();
  } else {
    text_counts_.push_back(0);
  }
  return position;
}

bool ColumnScan::more_than_can_be_kept() const {
  // The spellings of numbers are not worth as much memory as levels are.
  const std::size_t most =
      kind() == ColumnKind::numeric ? std::min(most_levels_, kMostLevels) : most_levels_;
  return texts_.size() > (passenger_ ? SIZE_MAX : most) || level_bytes_ > most_level_bytes_;
}

void ColumnScan::forget_levels() {
  levels_full_ = true;
  texts_ = {};
  text_counts_ = {};
}

std::uint64_t ColumnScan::missing_count() const {
  const bool nan_is_missing = as_levels_ || kind() == ColumnKind::numeric;
  return missing_count_ + (nan_is_missing ? nan_count_ : 0);
}

bool ColumnScan::names_rows() const {
  const std::uint64_t rows = text_count_ + number_count_ + nan_count_;
  if (kind() != ColumnKind::categorical || rows < kFewestNamedRows) return false;
  if (distinct_texts_.estimate() >= kShareDistinct * static_cast<double>(rows)) return true;
  return levels_full_ || all_rare(level_counts());
}

// Whether they are one number in the file too, doubles cannot tell.
bool ColumnScan::rounds_to_one() const {
  return beyond_exact_ && text_count_ == 0 && least_ == most_ && is_beyond_exact(least_);
}

ColumnLook ColumnScan::look() const {
  const std::uint64_t rows = text_count_ + number_count_ + nan_count_ + missing_count_;
  const bool number = kind() == ColumnKind::numeric && text_count_ == 0;
  return {2 * missing_count() > rows, names_rows(), number, number && row_numbers_.count_rows(),
          rounds_to_one()};
}

std::optional<std::string> ColumnScan::mark_of_missing() const {
  static const std::set<std::string_view> marks{"NA",   "N/A",  "n/a",  "na",      "#N/A",
                                                "NULL", "null", "None", "missing", "unknown",
                                                ".",    "?",    "-",    "--",      "\\N"};
  if (as_levels_ || number_count_ == 0 || kind() != ColumnKind::categorical) return std::nullopt;
  const std::string text(trim_blanks(first_text_value_));
  if (!marks.contains(text)) return std::nullopt;
  const LevelCounts counts = level_counts();
  const auto own = counts.find(first_text_value_);
  if (own == counts.end() || own->second != text_count_) return std::nullopt;
  return text;
}

std::optional<std::string> ColumnScan::date_of_two_styles() const {
  if (!dates_possible_ || !all_texts() || !dates_.may_be_either()) return std::nullopt;
  return std::string(trim_blanks(first_text_value_));
}

std::optional<std::string> ColumnScan::number_in_disguise() const {
  if (as_levels_ || passenger_ || kind() != ColumnKind::categorical || text_count_ == 0) {
    return std::nullopt;
  }
  const auto looks_so = [&](const std::string& text) {
    double value = 0;
    return comma_number(text) != CommaNumber::none || !sign_beside_number(text).empty() ||
           (cells_->decimal_comma() && parse_number(text, value));
  };
  if (!looks_so(first_text_value_)) return std::nullopt;
  std::uint64_t like_it = number_count_;
  std::uint64_t all = 0;
  for (const auto& [text, count] : level_counts()) {
    all += count;
    like_it += looks_so(text) ? count : 0;
  }
  if (2 * like_it < all) return std::nullopt;
  return std::string(trim_blanks(first_text_value_));
}

ColumnKind ColumnScan::kind() const {
  if (as_levels_) return ColumnKind::categorical;
  if (is_date()) return ColumnKind::numeric;
  const bool numeric = passenger_ ? text_count_ == 0 : number_count_ >= 9 * text_count_;
  return numeric ? ColumnKind::numeric : ColumnKind::categorical;
}

std::uint64_t ColumnScan::first_missing() const {
  const bool nan_is_missing = as_levels_ || kind() == ColumnKind::numeric;
  return nan_is_missing ? std::min(first_missing_, first_nan_) : first_missing_;
}

bool ColumnScan::all_missing() const { return number_count_ + text_count_ == 0; }

LevelCounts ColumnScan::level_counts() const {
  LevelCounts counts;
  for (const auto& [text, position] : texts_) {
    if (position < text_counts_.size()) counts[text] += text_counts_[position];
  }
  for (const auto& [number, count] : numbers_) counts[number_text(number)] += count;
  return counts;
}

PooledLevels ColumnScan::levels(bool pool) const { return pooled_levels(level_counts(), pool); }

std::string ColumnScan::most_frequent_level() const {
  std::pair<std::uint64_t, std::string> best{0, ""};
  for (const auto& [text, count] : level_counts()) {
    if (count > best.first || (count == best.first && text < best.second)) best = {count, text};
  }
  return best.second;
}

double ColumnScan::mean() const {
  if (is_date()) return dates().mean(DatePart::day);
  return number_count_ == 0 ? 0 : sum_ / static_cast<double>(number_count_);
}

void ColumnScan::finish_values(const Column& column, std::span<double> values) const {
  const std::vector<std::string>& levels = column.levels;
  const auto position = [&](const std::string& text) {
    const auto level = std::lower_bound(levels.begin(), levels.end(), text);
    const bool pooled = column.pooled && (level == levels.end() || *level != text);
    return static_cast<double>(pooled ? static_cast<std::ptrdiff_t>(*column.pooled)
                                      : level - levels.begin());
  };
  if (met_text_) {
    // Positions in order of appearance become numbers, or positions in byte order.
    std::vector<double> translation(texts_.size(), missing_value);
    for (const auto& [text, code] : texts_) {
      double number = 0;
      if (kind() == ColumnKind::categorical) {
        translation[code] = position(text);
      } else if (is_date() ? parse_date(text, *date_style(), number)
                           : cells_->classify(text, number) == CellKind::number) {
        translation[code] = number;
      }
    }
    for (double& value : values) {
      if (!std::isnan(value)) value = translation[static_cast<std::size_t>(value)];
    }
  } else if (as_levels_) {
    std::unordered_map<double, double> codes;
    for (const auto& [number, count] : numbers_) codes[number] = position(number_text(number));
    for (double& value : values) {
      if (!std::isnan(value)) value = codes[value];
    }
  }
}

}  // namespace fsieve::io::table
