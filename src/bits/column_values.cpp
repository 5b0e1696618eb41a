#include "bits/column_values.h"

#include <algorithm>
#include <limits>

#include "base/binary.h"
#include "base/parallel.h"
#include "bits/append_bits.h"
#include "bits/value_bits.h"
#include "fsieve/error.h"

namespace fsieve::inline bits {

namespace {

void turn_bits(std::vector<std::uint64_t>& bits, std::size_t count) {
  for (std::uint64_t& word : bits) word = ~word;
  if (count % 64 != 0 && !bits.empty()) bits.back() &= ~std::uint64_t{0} >> (64 - count % 64);
}

}  // namespace

void FewValues::note(double value, std::uint64_t count) {
  for (int k = 0; k < std::min(distinct, 2); ++k) {
    if (values[k] != value) continue;
    rows[k] += count;
    return;
  }
  if (distinct < 2) {
    values[distinct] = value;
    rows[distinct] = count;
  }
  distinct = std::min(distinct + 1, 3);
}

// Many rows at a time: what is neither of the two values is a third one.
void FewValues::add(std::span<const double> column) {
  constexpr std::size_t at_once = 512;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t begin = 0; begin < column.size() && distinct < 3; begin += at_once) {
    const auto some = column.subspan(begin, std::min(at_once, column.size() - begin));
    if (distinct == 0) note(some[0], 0);
    if (distinct == 1) {
      const auto other =
          std::find_if(some.begin(), some.end(), [&](double x) { return x != values[0]; });
      if (other != some.end()) note(*other, 0);
    }
    std::array<std::uint64_t, at_once / 64> bits{};
    const auto counts = count_equal(some, values[0], distinct == 2 ? values[1] : none, bits.data());
    append(bits, some.size());
    for (std::size_t k = 0; k < 2; ++k) rows[k] += counts[k];
    if (counts[0] + counts[1] < some.size()) distinct = 3;
  }
  if (distinct == 3) second.clear();
}

void FewValues::merge(const FewValues& other) {
  const std::uint64_t count = other.rows[0] + other.rows[1];
  if (other.distinct == 1 || other.distinct == 2) {
    std::vector<std::uint64_t> bits = other.second;
    const bool turned = distinct > 0 && values[0] != other.values[0];
    if (turned) turn_bits(bits, count);
    append(bits, count);
  }
  for (int k = 0; k < std::min(other.distinct, 2); ++k) note(other.values[k], other.rows[k]);
  if (other.distinct == 3) distinct = 3;
  if (distinct == 3) second.clear();
}

void FewValues::append(std::span<const std::uint64_t> bits, std::size_t count) {
  if (keeps_bits) append_bits(second, rows[0] + rows[1], bits, count);
}

std::vector<std::uint64_t> FewValues::high_bits() const {
  std::vector<std::uint64_t> bits = second;
  if (values[1] < values[0]) turn_bits(bits, rows[0] + rows[1]);
  return bits;
}

double FewValues::low() const { return distinct == 2 ? std::min(values[0], values[1]) : values[0]; }

double FewValues::high() const {
  return distinct == 2 ? std::max(values[0], values[1]) : values[0];
}

std::uint64_t FewValues::rows_high() const {
  return distinct == 2 && values[1] > values[0] ? rows[1] : rows[0];
}

ColumnValues::ColumnValues(const Schema& schema, bool keep_bits)
    : numeric_(schema.columns()), levels_(schema.columns()) {
  for (FewValues& few : numeric_) few.keeps_bits = keep_bits;
  const auto levels = [&](std::size_t j, const Column& column) {
    if (column.kind == ColumnKind::categorical) levels_[j].assign(column.levels.size(), 0);
  };
  for (std::size_t j = 0; j < schema.features.size(); ++j) levels(j, schema.features[j]);
  if (schema.label) levels(schema.features.size(), *schema.label);
}

void ColumnValues::add(const Block& block) {
  in_parallel(numeric_.size(), [&](std::size_t j) {
    const auto column = block.column(j);
    if (levels_[j].empty()) return numeric_[j].add(column);
    for (const double level : column) ++levels_[j][static_cast<std::size_t>(level)];
  });
}

void ColumnValues::merge(const ColumnValues& other) {
  for (std::size_t j = 0; j < numeric_.size(); ++j) {
    numeric_[j].merge(other.numeric_[j]);
    for (std::size_t level = 0; level < levels_[j].size(); ++level) {
      levels_[j][level] += other.levels_[j][level];
    }
  }
}

void ColumnValues::save(std::ostream& out) const {
  for (const FewValues& few : numeric_) {
    for (int k = 0; k < 2; ++k) {
      save_value(out, few.values[k]);
      save_value(out, few.rows[k]);
    }
    save_value(out, static_cast<std::int64_t>(few.distinct));
  }
  for (const auto& levels : levels_) save_values(out, levels);
}

void ColumnValues::load(std::istream& in) {
  for (FewValues& few : numeric_) {
    for (int k = 0; k < 2; ++k) {
      load_value(in, few.values[k]);
      load_value(in, few.rows[k]);
    }
    std::int64_t distinct = 0;
    load_value(in, distinct);
    if (distinct < 0 || distinct > 3) throw Error("a saved statistic is damaged");
    few.distinct = static_cast<int>(distinct);
  }
  for (auto& levels : levels_) load_values(in, levels);
}

std::size_t ColumnValues::bytes() const {
  std::size_t total = numeric_.size() * sizeof(FewValues);
  for (const auto& levels : levels_) total += levels.size() * sizeof(std::uint64_t);
  return total;
}

}  // namespace fsieve::bits
