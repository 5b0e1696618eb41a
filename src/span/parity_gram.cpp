#include "span/parity_gram.h"

#include <algorithm>

#include "base/binary.h"
#include "base/parallel.h"
#include "basis/parity_binary.h"
#include "data/design_binary.h"
#include "linalg/tiles.h"

namespace fsieve::inline span {
namespace {

std::vector<Parity> joined(std::vector<Parity> functions, const std::vector<Parity>& more,
                           const std::vector<std::size_t>& singles) {
  functions.insert(functions.end(), more.begin(), more.end());
  for (const std::size_t column : singles) functions.push_back(Parity().times(column));
  return functions;
}

}  // namespace

ParityGram::ParityGram(const Design& design, const std::vector<Parity>& old_parities,
                       const std::vector<Parity>& new_parities,
                       const std::vector<std::size_t>& singles)
    : rows_(design, columns_of(joined(old_parities, new_parities, singles))),
      functions_(joined(old_parities, new_parities, singles)),
      old_(old_parities.size()),
      new_(new_parities.size()),
      sums_(functions_.size() * new_parities.size(), 0.0) {
  blas::add_tiles(0, old_, 0, new_, tiles_);
  blas::add_lower_tiles(old_, 0, new_, tiles_);
  blas::add_tiles(old_ + new_, singles.size(), 0, new_, tiles_);
}

void ParityGram::add(const Block& block) {
  using blas::Op;
  for (std::size_t row = 0; row < block.rows; row += slice_rows) {
    const std::size_t count = std::min(slice_rows, block.rows - row);
    rows_.fill(block, row, count);
    values_.resize(functions_.size() * count);
    in_parallel(functions_.size(),
                [&](std::size_t f) { rows_.evaluate(functions_[f], values_.data() + f * count); });
    const double* added = values_.data() + old_ * count;
    blas::for_each(tiles_, [&](const blas::Tile& t) {
      double* sums = sums_.data() + t.row + t.column * height();
      if (t.diagonal) {
        blas::syrk_lower(Op::transpose, t.columns, count, 1.0, added + t.column * count, count, 1.0,
                         sums, height());
      } else {
        blas::gemm(Op::transpose, Op::none, t.rows, t.columns, count, 1.0,
                   values_.data() + t.row * count, count, added + t.column * count, count, 1.0,
                   sums, height());
      }
    });
  }
}

void ParityGram::merge(const ParityGram& other) {
  blas::axpy(sums_.size(), 1.0, other.sums_.data(), sums_.data());
}

void ParityGram::save(std::ostream& out) const { save_values(out, sums_); }

void ParityGram::load(std::istream& in) { load_values(in, sums_); }

void ParityGram::save_question(std::ostream& out) const {
  const auto first = functions_.begin();
  const auto added = first + static_cast<std::ptrdiff_t>(old_);
  const auto singles = added + static_cast<std::ptrdiff_t>(new_);
  save_design(out, rows_.design());
  save_parities(out, {first, added});
  save_parities(out, {added, singles});
  save_parities(out, {singles, functions_.end()});
}

ParityGram ParityGram::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  const std::vector<Parity> old_parities = load_parities(in);
  const std::vector<Parity> new_parities = load_parities(in);
  std::vector<std::size_t> singles;
  for (const Parity& single : load_parities(in)) singles.push_back(single.columns()[0]);
  return {design, old_parities, new_parities, singles};
}

}  // namespace fsieve::span
