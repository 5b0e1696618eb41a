#include "span/product_sums.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/binary.h"
#include "base/parallel.h"
#include "linalg/blas.h"
#include "linalg/narrow.h"
#include "span/parity_gram.h"

namespace fsieve::inline span {
namespace {

// Those of more than one column, which are multiplied.
std::vector<Parity> products_among(const std::vector<Parity>& parities) {
  std::vector<Parity> products;
  std::copy_if(parities.begin(), parities.end(), std::back_inserter(products),
               [](const Parity& parity) { return parity.size() > 1; });
  return products;
}

}  // namespace

ProductSums::ProductSums(const Design& design, std::vector<Parity> parities,
                         std::vector<std::size_t> singles, std::vector<ProductTile> tiles,
                         std::size_t size, std::size_t counts_as,
                         const StandardisedColumns* columns, bool narrow)
    : rows_(design, columns_of(products_among(parities))),
      parities_(std::move(parities)),
      singles_(std::move(singles)),
      tiles_(std::move(tiles)),
      counts_as_(counts_as),
      columns_(columns),
      narrow_(narrow),
      wanted_(parities_.size() + singles_.size()),
      sums_(size, 0.0) {
  for (const ProductTile& tile : tiles_) {
    at_hand_.push_back(at_hand(tile));
    const auto want = [&](std::size_t first, std::size_t count) {
      std::fill_n(wanted_.begin() + static_cast<std::ptrdiff_t>(first), count, true);
    };
    if (!at_hand_.back()) want(tile.row, tile.rows);
    want(tile.column, tile.columns);
  }
}

bool ProductSums::at_hand(const ProductTile& tile) const {
  if (columns_ == nullptr || tile.diagonal || tile.row < parities_.size()) return false;
  if (narrow_ && !columns_->has_narrow()) return false;
  const std::size_t* const own = singles_.data() + (tile.row - parities_.size());
  for (std::size_t s = 1; s < tile.rows; ++s) {
    if (columns_->place(own[s]) != columns_->place(own[0]) + s) return false;
  }
  return true;
}

void ProductSums::add(const Block& block) {
  using blas::Op;
  const std::size_t slice = narrow_ ? narrow_rows : ParityGram::slice_rows;
  for (std::size_t row = 0; row < block.rows; row += slice) {
    const std::size_t count = std::min(slice, block.rows - row);
    evaluate(block, row, count);
    in_parallel_one_by_one(tiles_.size(), [&](std::size_t k) {
      const ProductTile& t = tiles_[k];
      if (narrow_) {
        add_narrow(t, at_hand_[k], block.first_row + row, count);
        return;
      }
      const double* right = values_.data() + t.column * count;
      double* sums = sums_.data() + t.place;
      if (t.diagonal) {
        blas::syrk_lower(Op::transpose, t.columns, count, 1.0, right, count, 1.0, sums, t.stride);
      } else if (at_hand_[k]) {
        blas::gemm(Op::transpose, Op::none, t.rows, t.columns, count, 1.0,
                   columns_->column(singles_[t.row - parities_.size()]) + block.first_row + row,
                   columns_->rows(), right, count, 1.0, sums, t.stride);
      } else {
        blas::gemm(Op::transpose, Op::none, t.rows, t.columns, count, 1.0,
                   values_.data() + t.row * count, count, right, count, 1.0, sums, t.stride);
      }
    });
  }
}

void ProductSums::add_narrow(const ProductTile& tile, bool at_hand, std::size_t row,
                             std::size_t count) {
  using blas::Op;
  std::vector<float> products(tile.rows * tile.columns);
  const float* right = floats_.data() + tile.column * count;
  if (tile.diagonal) {
    blas::syrk_lower(Op::transpose, tile.columns, count, 1.0F, right, count, 0.0F, products.data(),
                     tile.rows);
  } else {
    const float* const left = at_hand
                                  ? columns_->narrow(singles_[tile.row - parities_.size()]) + row
                                  : floats_.data() + tile.row * count;
    blas::gemm(Op::transpose, Op::none, tile.rows, tile.columns, count, 1.0F, left,
               at_hand ? columns_->rows() : count, right, count, 0.0F, products.data(), tile.rows);
  }
  for (std::size_t c = 0; c < tile.columns; ++c) {
    const float* from = products.data() + c * tile.rows;
    double* to = sums_.data() + tile.place + c * tile.stride;
    for (std::size_t r = tile.diagonal ? c : 0; r < tile.rows; ++r) {
      to[r] += static_cast<double>(from[r]);
    }
  }
}

void ProductSums::evaluate(const Block& block, std::size_t row, std::size_t count) {
  rows_.fill(block, row, count);
  const RootWeights roots(part_of(block.weights, row, count));
  const std::size_t functions = parities_.size() + singles_.size();
  if (!narrow_) {
    if (values_.size() < functions * count) values_ = Buffer(functions * count);
    in_parallel(functions, [&](std::size_t f) {
      if (wanted_[f]) evaluate(block, roots, row, count, f, values_.data() + f * count);
    });
    return;
  }
  floats_.resize(functions * count);
  in_parallel(functions, [&](std::size_t f) {
    if (!wanted_[f]) return;
    double values[narrow_rows];
    evaluate(block, roots, row, count, f, values);
    blas::narrow(count, values, floats_.data() + f * count);
  });
}

void ProductSums::evaluate(const Block& block, const RootWeights& roots, std::size_t row,
                           std::size_t count, std::size_t function, double* out) const {
  const bool is_parity = function < parities_.size();
  if (is_parity && parities_[function].size() != 1) {
    rows_.evaluate(parities_[function], out);
    return;
  }
  const std::size_t column =
      is_parity ? parities_[function].columns()[0] : singles_[function - parities_.size()];
  if (columns_ != nullptr) {
    std::copy_n(columns_->column(column) + block.first_row + row, count, out);
    return;
  }
  rows_.design().standardised(block, row, count, column, out);
  roots.scale(out);
}

void ProductSums::merge(const ProductSums& other) {
  blas::axpy(sums_.size(), 1.0, other.sums_.data(), sums_.data());
}

void ProductSums::save(std::ostream& out) const { save_values(out, sums_); }

void ProductSums::load(std::istream& in) { load_values(in, sums_); }

}  // namespace fsieve::span
