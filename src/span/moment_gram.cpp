#include "span/moment_gram.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "basis/parity_binary.h"
#include "data/design_binary.h"
#include "linalg/tiles.h"

namespace fsieve::inline span {
namespace {

std::vector<ProductTile> tiles_of(std::size_t singles, std::size_t parities) {
  std::vector<blas::Tile> tiles;
  blas::add_tiles(0, singles, 0, parities, tiles);
  std::vector<ProductTile> products;
  products.reserve(tiles.size());
  for (const blas::Tile& t : tiles) products.push_back(product_tile(t, parities, 0, 0, singles));
  return products;
}

}  // namespace

MomentGram::MomentGram(const Design& design, MomentIndex index, std::vector<Parity> old_parities,
                       const std::vector<Parity>& new_parities,
                       const std::vector<std::size_t>& singles)
    : design_(&design),
      old_(std::move(old_parities)),
      new_(new_parities),
      singles_(singles),
      moments_(design, std::move(index),
               (old_.size() + new_.size() + singles.size()) * new_.size() * sizeof(double)),
      with_singles_(design, new_parities, singles, tiles_of(singles.size(), new_.size()),
                    singles.size() * new_.size(), moments_.bytes()) {}

void MomentGram::add(const Block& block) {
  moments_.add(block);
  with_singles_.add(block);
}

void MomentGram::merge(const MomentGram& other) {
  moments_.merge(other.moments_);
  with_singles_.merge(other.with_singles_);
}

void MomentGram::save(std::ostream& out) const {
  moments_.save(out);
  with_singles_.save(out);
}

void MomentGram::load(std::istream& in) {
  moments_.load(in);
  with_singles_.load(in);
}

void MomentGram::save_question(std::ostream& out) const {
  save_design(out, *design_);
  save_parities(out, old_);
  save_parities(out, new_);
  save_columns(out, singles_);
}

MomentGram MomentGram::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  const std::vector<Parity> old_parities = load_parities(in);
  const std::vector<Parity> new_parities = load_parities(in);
  const std::vector<std::size_t> singles = load_columns(in);
  return {design, MomentIndex(old_parities, new_parities), old_parities, new_parities, singles};
}

Buffer MomentGram::inner_products() {
  const std::size_t height = old_.size() + new_.size() + singles_.size();
  Buffer products(height * new_.size());
  const Buffer sums = moments_.moments();
  const double* const moments = sums.data();
  const MomentIndex& index = moments_.index();
  std::vector<MomentIndex::Symbols> rows;
  for (const Parity& parity : old_) rows.push_back(index.symbols_of(parity));
  for (const Parity& parity : new_) rows.push_back(index.symbols_of(parity));
  in_parallel(new_.size(), [&](std::size_t q) {
    double* column = products.data() + q * height;
    MomentRow row(index, new_[q]);
    for (std::size_t r = 0; r < old_.size(); ++r) column[r] = moments[row.number(rows[r])];
    for (std::size_t r = old_.size() + q; r < rows.size(); ++r) {
      column[r] = moments[row.number(rows[r])];
    }
    const double* from = with_singles_.sums().data() + q * singles_.size();
    for (std::size_t s = 0; s < singles_.size(); ++s) {
      column[rows.size() + s] = from[s] / design_->weight;
    }
  });
  return products;
}

}  // namespace fsieve::span
