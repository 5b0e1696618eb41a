#include "span/product_sums.h"

#include <algorithm>
#include <utility>

#include "base/binary.h"
#include "base/parallel.h"
#include "linalg/blas.h"
#include "span/parity_gram.h"

namespace fsieve::inline span {

ProductSums::ProductSums(const Design& design, std::vector<Parity> parities,
                         std::vector<std::size_t> singles, std::vector<ProductTile> tiles,
                         std::size_t size, std::size_t counts_as,
                         const StandardisedColumns* columns)
    : rows_(design, columns_of(parities)),
      parities_(std::move(parities)),
      singles_(std::move(singles)),
      tiles_(std::move(tiles)),
      counts_as_(counts_as),
      columns_(columns),
      sums_(size, 0.0) {}

void ProductSums::add(const Block& block) {
  using blas::Op;
  for (std::size_t row = 0; row < block.rows; row += ParityGram::slice_rows) {
    const std::size_t count = std::min(ParityGram::slice_rows, block.rows - row);
    evaluate(block, row, count);
    in_parallel_one_by_one(tiles_.size(), [&](std::size_t k) {
      const ProductTile& t = tiles_[k];
      const double* right = values_.data() + t.column * count;
      double* sums = sums_.data() + t.place;
      if (t.diagonal) {
        blas::syrk_lower(Op::transpose, t.columns, count, 1.0, right, count, 1.0, sums, t.stride);
      } else {
        blas::gemm(Op::transpose, Op::none, t.rows, t.columns, count, 1.0,
                   values_.data() + t.row * count, count, right, count, 1.0, sums, t.stride);
      }
    });
  }
}

void ProductSums::evaluate(const Block& block, std::size_t row, std::size_t count) {
  rows_.fill(block, row, count);
  values_.resize((parities_.size() + singles_.size()) * count);
  in_parallel(parities_.size(),
              [&](std::size_t f) { rows_.evaluate(parities_[f], values_.data() + f * count); });
  const RootWeights roots(part_of(block.weights, row, count));
  double* const singles = values_.data() + parities_.size() * count;
  in_parallel(singles_.size(), [&](std::size_t s) {
    if (columns_ != nullptr) {
      std::copy_n(columns_->column(singles_[s]) + block.first_row + row, count,
                  singles + s * count);
      return;
    }
    rows_.design().standardised(block, row, count, singles_[s], singles + s * count);
    roots.scale(singles + s * count);
  });
}

void ProductSums::merge(const ProductSums& other) {
  blas::axpy(sums_.size(), 1.0, other.sums_.data(), sums_.data());
}

void ProductSums::save(std::ostream& out) const { save_values(out, sums_); }

void ProductSums::load(std::istream& in) { load_values(in, sums_); }

}  // namespace fsieve::span
