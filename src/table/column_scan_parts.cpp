// Scans of a column whose rows are in several places.
#include <algorithm>
#include <utility>

#include "base/binary_lists.h"
#include "table/column_scan.h"

namespace fsieve::io::inline table {
namespace {

std::uint64_t moved(std::uint64_t row, std::uint64_t rows_before) {
  return row == kNoRow ? kNoRow : row + rows_before;
}

}  // namespace

void ColumnScan::merge(const ColumnScan& next, std::uint64_t rows_before) {
  has_values_ = false;
  met_numbers_ = met_numbers_ || next.met_numbers_;
  met_text_ = met_text_ || next.met_text_;
  beyond_exact_ = beyond_exact_ || next.beyond_exact_;
  met_inexact_ = met_inexact_ || next.met_inexact_;
  number_count_ += next.number_count_;
  text_count_ += next.text_count_;
  missing_count_ += next.missing_count_;
  nan_count_ += next.nan_count_;
  first_missing_ = std::min(first_missing_, moved(next.first_missing_, rows_before));
  first_nan_ = std::min(first_nan_, moved(next.first_nan_, rows_before));
  first_infinite_ = std::min(first_infinite_, moved(next.first_infinite_, rows_before));
  if (moved(next.first_text_, rows_before) < first_text_) {
    first_text_ = moved(next.first_text_, rows_before);
    first_text_value_ = next.first_text_value_;
  }
  sum_ += next.sum_;
  least_ = std::min(least_, next.least_);
  most_ = std::max(most_, next.most_);
  days_ = days_ || next.days_;
  dates_possible_ = dates_possible_ && next.dates_possible_;
  dates_.merge(next.dates_);
  distinct_texts_.merge(next.distinct_texts_);
  row_numbers_.merge(next.row_numbers_);
  for (const auto& [number, count] : next.numbers_) numbers_[number] += count;
  if (next.levels_full_) forget_levels();
  if (levels_full_) return;
  for (const auto& [text, position] : next.texts_) {
    const auto [entry, fresh] = texts_.emplace(text, texts_.size());
    if (fresh) {
      level_bytes_ += text.size() + kBytesBeside;
      text_counts_.push_back(0);
    }
    text_counts_[entry->second] += next.text_counts_[position];
  }
  if (more_than_can_be_kept()) forget_levels();
}

// Levels and numbers are written in order: equal scans give equal bytes.
void ColumnScan::save(std::ostream& out) const {
  for (const bool flag : {met_numbers_, met_text_, levels_full_, beyond_exact_, met_inexact_, days_,
                          dates_possible_}) {
    save_flag(out, flag);
  }
  for (const std::uint64_t number : {number_count_, text_count_, missing_count_, nan_count_,
                                     first_missing_, first_nan_, first_infinite_, first_text_}) {
    save_value(out, number);
  }
  save_text(out, first_text_value_);
  for (const double number : {sum_, least_, most_}) save_value(out, number);
  std::vector<std::pair<std::string, std::uint64_t>> levels;
  for (const auto& [text, position] : texts_) levels.emplace_back(text, text_counts_[position]);
  std::sort(levels.begin(), levels.end());
  save_count(out, levels.size());
  for (const auto& [text, count] : levels) {
    save_text(out, text);
    save_value(out, count);
  }
  std::vector<std::pair<double, std::uint64_t>> numbers(numbers_.begin(), numbers_.end());
  std::sort(numbers.begin(), numbers.end());
  save_count(out, numbers.size());
  for (const auto& [number, count] : numbers) {
    save_value(out, number);
    save_value(out, count);
  }
  dates_.save(out);
  distinct_texts_.save(out);
  row_numbers_.save(out);
}

void ColumnScan::load(std::istream& in) {
  has_values_ = false;
  for (bool* const flag : {&met_numbers_, &met_text_, &levels_full_, &beyond_exact_, &met_inexact_,
                           &days_, &dates_possible_}) {
    *flag = load_flag(in);
  }
  for (std::uint64_t* const number :
       {&number_count_, &text_count_, &missing_count_, &nan_count_, &first_missing_, &first_nan_,
        &first_infinite_, &first_text_}) {
    load_value(in, *number);
  }
  first_text_value_ = load_text(in);
  for (double* const number : {&sum_, &least_, &most_}) load_value(in, *number);
  texts_ = {};
  text_counts_ = {};
  level_bytes_ = 0;
  load_each(in, [&] {
    const std::string text = load_text(in);
    texts_.emplace(text, text_counts_.size());
    level_bytes_ += text.size() + kBytesBeside;
    load_value(in, text_counts_.emplace_back());
  });
  numbers_ = {};
  load_each(in, [&] {
    double number = 0;
    load_value(in, number);
    load_value(in, numbers_[number]);
  });
  dates_.load(in);
  distinct_texts_.load(in);
  row_numbers_.load(in);
}

}  // namespace fsieve::io::table
