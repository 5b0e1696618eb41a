#include "methods/junta/sign_sums.h"

#include <algorithm>
#include <utility>

#include "base/binary_lists.h"
#include "base/parallel.h"
#include "bits/append_bits.h"
#include "data/sign_bits.h"

namespace fsieve::inline methods {
namespace {

void save_tests(std::ostream& out, const std::vector<SignTest>& tests) {
  save_count(out, tests.size());
  for (const SignTest& test : tests) {
    save_value(out, test.position);
    save_value(out, test.mark);
    save_flag(out, test.above);
  }
}

std::vector<SignTest> load_tests(std::istream& in) {
  std::vector<SignTest> tests;
  load_each(in, [&] {
    SignTest& test = tests.emplace_back();
    load_value(in, test.position);
    load_value(in, test.mark);
    test.above = load_flag(in);
  });
  return tests;
}

}  // namespace

SignTest test_of(const SignFeature& feature) {
  return {feature.position, feature.mark, feature.described.threshold.has_value()};
}

std::vector<SignTest> tests_of(std::span<const SignFeature> features) {
  std::vector<SignTest> tests;
  tests.reserve(features.size());
  for (const SignFeature& feature : features) tests.push_back(test_of(feature));
  return tests;
}

void HighCounts::add(const Block& block) {
  in_parallel(tests_.size(), [&](std::size_t j) {
    const auto column = block.column(tests_[j].position);
    counts_[j] +=
        static_cast<std::uint64_t>(std::count_if(column.begin(), column.end(), tests_[j]));
  });
}

void HighCounts::merge(const HighCounts& other) {
  for (std::size_t j = 0; j < counts_.size(); ++j) counts_[j] += other.counts_[j];
}

void HighCounts::save(std::ostream& out) const { save_values(out, counts_); }

void HighCounts::load(std::istream& in) { load_values(in, counts_); }

void HighCounts::save_question(std::ostream& out) const { save_tests(out, tests_); }

HighCounts HighCounts::from_question(std::istream& in, const Schema& /*schema*/, Keep& /*keep*/) {
  return HighCounts(load_tests(in));
}

void PackedRows::add(const Block& block) {
  in_parallel(tests_.size(), [&](std::size_t j) {
    const auto column = block.column(tests_[j].position);
    bits_[j].resize(words_for(rows_ + block.rows));
    for (std::size_t i = 0; i < block.rows; ++i) {
      const std::uint64_t place = rows_ + i;
      bits_[j][place / 64] |= std::uint64_t{tests_[j](column[i])} << (place % 64);
    }
  });
  rows_ += block.rows;
}

void PackedRows::merge(const PackedRows& next) {
  in_parallel(tests_.size(),
              [&](std::size_t j) { append_bits(bits_[j], rows_, next.bits_[j], next.rows_); });
  rows_ += next.rows_;
}

void PackedRows::save(std::ostream& out) const {
  save_value(out, rows_);
  for (const auto& column : bits_) save_values(out, column);
}

void PackedRows::load(std::istream& in) {
  load_value(in, rows_);
  for (auto& column : bits_) load_list(in, column);
}

void PackedRows::save_question(std::ostream& out) const { save_tests(out, tests_); }

PackedRows PackedRows::from_question(std::istream& in, const Schema& /*schema*/, Keep& /*keep*/) {
  return PackedRows(load_tests(in));
}

}  // namespace fsieve::methods
