#include "span/square_sums.h"

#include <algorithm>

#include "base/binary.h"
#include "base/buffer.h"
#include "base/parallel.h"
#include "basis/parity_binary.h"
#include "data/design_binary.h"
#include "linalg/blas.h"
#include "linalg/tiles.h"
#include "span/parity_gram.h"

namespace fsieve::inline span {
namespace {

using blas::Op;

std::vector<Parity> joined_sets(const std::vector<std::vector<Parity>>& sets) {
  std::vector<Parity> all;
  for (const std::vector<Parity>& functions : sets) {
    all.insert(all.end(), functions.begin(), functions.end());
  }
  return all;
}

}  // namespace

SquareSums::SquareSums(const Design& design, std::vector<std::vector<Parity>> sets)
    : sets_(std::move(sets)), rows_(design, columns_of(joined_sets(sets_))) {
  std::size_t size = 0;
  for (const std::vector<Parity>& functions : sets_) {
    offsets_.push_back(size);
    size += functions.size() * functions.size();
  }
  sums_.resize(size);
}

void SquareSums::add(const Block& block) {
  for (std::size_t row = 0; row < block.rows; row += ParityGram::slice_rows) {
    rows_.fill(block, row, std::min(ParityGram::slice_rows, block.rows - row));
    in_parallel(sets_.size(),
                [&](std::size_t s) { add_rows(sets_[s], sums_.data() + offsets_[s]); });
  }
}

void SquareSums::add_rows(const std::vector<Parity>& functions, double* sums) {
  const std::size_t count = functions.size();
  const std::size_t rows = rows_.rows();
  Buffer values(count * rows);
  in_parallel(count,
              [&](std::size_t f) { rows_.evaluate(functions[f], values.data() + f * rows); });
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, count, tiles);
  blas::for_each(tiles, [&](const blas::Tile& tile) {
    const double* left = values.data() + tile.row * rows;
    const double* right = values.data() + tile.column * rows;
    double* target = sums + tile.row + tile.column * count;
    if (tile.diagonal) {
      blas::syrk_lower(Op::transpose, tile.rows, rows, 1.0, left, rows, 1.0, target, count);
    } else {
      blas::gemm(Op::transpose, Op::none, tile.rows, tile.columns, rows, 1.0, left, rows, right,
                 rows, 1.0, target, count);
    }
  });
}

void SquareSums::merge(const SquareSums& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
}

void SquareSums::save(std::ostream& out) const { save_values(out, sums_); }

void SquareSums::load(std::istream& in) { load_values(in, sums_); }

void SquareSums::save_question(std::ostream& out) const {
  save_design(out, rows_.design());
  save_count(out, sets_.size());
  for (const std::vector<Parity>& functions : sets_) save_parities(out, functions);
}

SquareSums SquareSums::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  std::vector<std::vector<Parity>> sets;
  load_each(in, [&] { sets.push_back(load_parities(in)); });
  return {design, std::move(sets)};
}

}  // namespace fsieve::span
