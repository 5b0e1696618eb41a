// Sums over rows of products of functions, of those pairs that are asked for.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "base/buffer.h"
#include "basis/parity.h"
#include "data/design.h"
#include "fsieve/source.h"
#include "linalg/tiles.h"
#include "span/standardised_columns.h"

namespace fsieve::inline span {

// Functions [row, row + rows) times functions [column, column + columns); what comes of it starts
// at `place` of the sums, columns `stride` apart. On the diagonal only the lower triangle.
struct ProductTile {
  std::size_t row = 0;
  std::size_t rows = 0;
  std::size_t column = 0;
  std::size_t columns = 0;
  std::size_t place = 0;
  std::size_t stride = 0;
  bool diagonal = false;
};

// A tile of a product whose rows and columns are functions from `rows` and `columns` on.
[[nodiscard]] inline ProductTile product_tile(const blas::Tile& tile, std::size_t rows,
                                              std::size_t columns, std::size_t place,
                                              std::size_t stride) {
  return {rows + tile.row,
          tile.rows,
          columns + tile.column,
          tile.columns,
          place + tile.row + tile.column * stride,
          stride,
          tile.diagonal};
}

class ProductSums {
 public:
  // Rows whose products are summed in single precision, before they are added to the sums.
  static constexpr std::size_t narrow_rows = 256;

  // Functions are the parities, then single columns. `counts_as`: the bytes by which a fold chooses
  // how it goes through the blocks, and with it the last digits: those of all products of which
  // these are a part. `columns`: the single columns, where they are at hand. `narrow`: in single
  // precision.
  ProductSums(const Design& design, std::vector<Parity> parities, std::vector<std::size_t> singles,
              std::vector<ProductTile> tiles, std::size_t size, std::size_t counts_as,
              const StandardisedColumns* columns = nullptr, bool narrow = false);

  void add(const Block& block);
  void merge(const ProductSums& other);
  void save(std::ostream& out) const;
  void load(std::istream& in);
  [[nodiscard]] std::size_t bytes() const { return counts_as_; }

  [[nodiscard]] Buffer& sums() { return sums_; }

 private:
  void evaluate(const Block& block, std::size_t row, std::size_t count);
  void evaluate(const Block& block, const RootWeights& roots, std::size_t row, std::size_t count,
                std::size_t function, double* out) const;
  void add_narrow(const ProductTile& tile, bool at_hand, std::size_t row, std::size_t count);
  // Are the rows of a tile single columns that stand side by side where they are at hand?
  [[nodiscard]] bool at_hand(const ProductTile& tile) const;

  StandardisedRows rows_;
  std::vector<Parity> parities_;
  std::vector<std::size_t> singles_;
  std::vector<ProductTile> tiles_;
  std::size_t counts_as_;
  const StandardisedColumns* columns_;
  bool narrow_;
  std::vector<bool> at_hand_;  // of each tile
  std::vector<bool> wanted_;   // of each function: is it evaluated?
  Buffer sums_;
  Buffer values_;              // scratch: the functions on a slice of rows
  std::vector<float> floats_;  // the same where these are narrow
};

}  // namespace fsieve::span
