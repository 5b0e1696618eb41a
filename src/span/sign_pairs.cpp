#include "span/sign_pairs.h"

#include <bit>
#include <utility>

#include "base/binary.h"
#include "base/parallel.h"
#include "basis/parity_binary.h"
#include "bits/count_pairs.h"
#include "data/design_binary.h"
#include "data/sign_bits.h"

namespace fsieve::inline span {

SignPairs::SignPairs(const Design& design, std::vector<std::size_t> row_columns,
                     std::vector<std::size_t> new_columns)
    : design_(&design),
      row_columns_(std::move(row_columns)),
      new_columns_(std::move(new_columns)),
      differ_(row_columns_.size() * new_columns_.size()),
      row_minus_(row_columns_.size()),
      new_minus_(new_columns_.size()) {}

void SignPairs::add(const Block& block) {
  const std::size_t words = words_for(block.rows);
  const auto pack = [&](const std::vector<std::size_t>& columns, std::vector<std::int64_t>& minus,
                        std::vector<std::uint64_t>& storage) {
    BitColumns bits(columns.size());
    storage.resize(columns.size() * words);
    in_parallel(columns.size(), [&](std::size_t k) {
      std::uint64_t* own = storage.data() + k * words;
      pack_signs(*design_, block, columns[k], own);
      for (std::size_t w = 0; w < words; ++w) minus[k] += std::popcount(own[w]);
      bits[k] = own;
    });
    return bits;
  };
  std::vector<std::uint64_t> row_storage;
  std::vector<std::uint64_t> new_storage;
  const BitColumns row_bits = pack(row_columns_, row_minus_, row_storage);
  const BitColumns new_bits = pack(new_columns_, new_minus_, new_storage);
  count_pairs(row_bits, new_bits, words, [&](std::size_t i, std::size_t j, std::int64_t count) {
    differ_[i + j * row_columns_.size()] += count;
  });
}

void SignPairs::merge(const SignPairs& other) {
  for (std::size_t i = 0; i < differ_.size(); ++i) differ_[i] += other.differ_[i];
  for (std::size_t i = 0; i < row_minus_.size(); ++i) row_minus_[i] += other.row_minus_[i];
  for (std::size_t i = 0; i < new_minus_.size(); ++i) new_minus_[i] += other.new_minus_[i];
}

void SignPairs::save(std::ostream& out) const {
  save_values(out, differ_);
  save_values(out, row_minus_);
  save_values(out, new_minus_);
}

void SignPairs::load(std::istream& in) {
  load_values(in, differ_);
  load_values(in, row_minus_);
  load_values(in, new_minus_);
}

double SignPairs::product(std::size_t row, std::size_t column) const {
  const std::size_t n = design_->rows;
  const double mean = sign_mean(differ_[row + column * row_columns_.size()], n);
  const double means = sign_mean(row_minus_[row], n) * sign_mean(new_minus_[column], n);
  return (mean - means) /
         (sign_deviation(row_minus_[row], n) * sign_deviation(new_minus_[column], n));
}

void SignPairs::save_question(std::ostream& out) const {
  save_design(out, *design_);
  save_columns(out, row_columns_);
  save_columns(out, new_columns_);
}

SignPairs SignPairs::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  std::vector<std::size_t> row_columns = load_columns(in);
  return {design, std::move(row_columns), load_columns(in)};
}

}  // namespace fsieve::span
