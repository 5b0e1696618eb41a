#include "methods/junta/junta_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "bits/bit_split.h"
#include "bits/packed_columns.h"
#include "data/fingerprint.h"
#include "data/sign_bits.h"
#include "fsieve/error.h"
#include "methods/junta/sign_sums.h"
#include "source/parted_source.h"
#include "stats/fold.h"

namespace fsieve::inline methods {

namespace {

ClassSegments segments_of(const SignLabel& label) {
  const auto second = static_cast<std::uint32_t>(
      std::count(label.codes.begin(), label.codes.end(), std::uint8_t{1}));
  return ClassSegments({static_cast<std::uint32_t>(label.codes.size()) - second, second});
}

// So much is taken whatever was allowed: a table of a few megabytes must not fail.
constexpr double small = 8 << 20U;

BitStore room_for(std::size_t features, std::size_t words, std::size_t memory) {
  const double bytes =
      static_cast<double>(features) * static_cast<double>(words) * sizeof(std::uint64_t);
  if (bytes > std::max(static_cast<double>(memory), small)) {
    throw Error(fmt::format(
        "{} two-valued features, a bit per row, take {:.0f} MiB; allow it with --memory {:.0f}M, "
        "or leave out columns (a text column is a feature per level)",
        features, std::ceil(std::ldexp(bytes, -20)), std::ceil(std::ldexp(bytes, -20)) + 1));
  }
  return {features, words};
}

}  // namespace

JuntaTable::JuntaTable(const Source& source, SignFeatures signs, SignLabel classes,
                       std::size_t memory, Progress& progress)
    : features(std::move(signs.features)),
      label(std::move(classes)),
      order(segments_of(label)),
      bits(room_for(features.size(), order.words, memory)),
      rows(source.rows()) {
  if (rows_are_here(source)) {
    take_rows(source, progress);
  } else {
    take_packed(source, progress);
  }
  std::vector<std::uint8_t>().swap(label.codes);
}

JuntaTable::JuntaTable(const std::vector<std::uint64_t>& high, ClassSegments segments,
                       BitStore packed)
    : features(high.size()), order(std::move(segments)), bits(std::move(packed)) {
  for (std::size_t j = 0; j < high.size(); ++j) features[j].high = high[j];
  for (const std::uint32_t count : order.rows) rows += count;
}

bool JuntaTable::has_room_for_twice(const Source& source, std::size_t memory) {
  const double bytes =
      static_cast<double>(source.rows()) / 8 * static_cast<double>(source.schema().features.size());
  return rows_are_here(source) && 2 * bytes <= std::max(static_cast<double>(memory), small);
}

void JuntaTable::take_rows(const Source& source, Progress& progress) {
  BitSplit split(order);
  split.go_on(label.codes);
  std::vector<SignTest> tests;  // of features whose rows are not known yet
  std::vector<std::uint64_t*> columns;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (!features[j].high_bits.empty()) continue;
    tests.push_back(test_of(features[j]));
    columns.push_back(bits.column(j));
  }
  in_parallel(features.size(), [&](std::size_t j) {
    split.add(features[j].high_bits, bits.column(j));
    std::vector<std::uint64_t>().swap(features[j].high_bits);
  });
  if (!tests.empty()) pack_columns(source, tests, label.codes, order, columns, progress);
}

// Rows that lie elsewhere come here as bits.
void JuntaTable::take_packed(const Source& source, Progress& progress) {
  const PackedRows packed = fold(source, PackedRows(tests_of(features)), "packing", progress);
  BitSplit split(order);
  split.go_on(label.codes);
  in_parallel(features.size(), [&](std::size_t j) { split.add(packed.column(j), bits.column(j)); });
}

std::vector<std::uint64_t> JuntaTable::high() const {
  std::vector<std::uint64_t> counts;
  counts.reserve(features.size());
  for (const SignFeature& feature : features) counts.push_back(feature.high);
  return counts;
}

double JuntaTable::weight_high(std::size_t feature) const {
  if (weights.even()) return static_cast<double>(features[feature].high);
  return weights.size(count(0, {&feature, 1}), count(1, {&feature, 1}));
}

void JuntaTable::weigh(const RowWeights& by_class) {
  weights = by_class;
  if (weights.even()) return;
  for (std::size_t j = 0; j < size(); ++j) {
    const double share = weight_high(j) / static_cast<double>(rows);
    features[j].described.mean = 2 * share - 1;
    features[j].described.deviation = 2 * std::sqrt(share * (1 - share));
  }
}

std::int64_t JuntaTable::count(std::size_t of_class, std::span<const std::size_t> subset) const {
  if (subset.empty()) return order.rows[of_class];
  const auto& [first, words] = order.segments[of_class];
  std::int64_t total = 0;
  for (std::size_t w = first; w < first + words; ++w) {
    std::uint64_t all = ~std::uint64_t{0};
    for (const std::size_t j : subset) all &= bits.column(j)[w];
    total += std::popcount(all);
  }
  return total;
}

std::vector<std::int64_t> count_cells(const JuntaTable& table,
                                      std::span<const std::size_t> subset) {
  const std::size_t cells = std::size_t{1} << subset.size();
  std::vector<std::int64_t> counts(2 * cells);
  for (std::size_t k = 0; k < 2; ++k) {
    std::int64_t* of_class = counts.data() + k * cells;
    for (std::size_t mask = 0; mask < cells; ++mask) {
      std::vector<std::size_t> set;
      for (std::size_t bit = 0; bit < subset.size(); ++bit) {
        if ((mask >> bit & 1U) != 0) set.push_back(subset[bit]);
      }
      of_class[mask] = table.count(k, set);
    }
    // From "all of these are set" to "exactly these are set".
    for (std::size_t step = 1; step < cells; step *= 2) {
      for (std::size_t mask = 0; mask < cells; ++mask) {
        if ((mask & step) == 0) of_class[mask] -= of_class[mask + step];
      }
    }
  }
  return counts;
}

std::string fingerprint(const JuntaTable& table) {
  Fingerprint sum;
  sum.add(table.rows);
  sum.add(table.label.name);
  for (const std::string& name : table.label.classes) sum.add(name);
  for (const std::uint32_t count : table.order.rows) sum.add(count);
  for (std::size_t j = 0; j < table.size(); ++j) {
    sum.add(table.features[j].described.name);
    const std::uint64_t* column = table.bits.column(j);
    for (std::size_t w = 0; w < table.order.words; ++w) sum.add(column[w]);
  }
  return sum.text();
}

}  // namespace fsieve::methods
