#include "span/span.h"

#include <algorithm>
#include <utility>

#include "base/large_pages.h"
#include "linalg/tiles.h"
#include "span/gram_factor.h"

namespace fsieve::inline span {

using blas::Op;

std::vector<double> Span::inner_products(const double* columns, std::size_t count) const {
  std::vector<double> inner(rank() * count);
  blas::tiled_gemm(Op::transpose, Op::none, rank(), count, rows_, 1.0, functions(), rows_, columns,
                   rows_, 0.0, inner.data(), rank());
  return inner;
}

void Span::take_out_once(double* columns, std::size_t count, std::size_t first) const {
  const std::size_t functions = rank() - first;
  std::vector<double> inner(functions * count);
  blas::tiled_gemm(Op::transpose, Op::none, functions, count, rows_, 1.0, this->functions(first),
                   rows_, columns, rows_, 0.0, inner.data(), functions);
  blas::tiled_gemm(Op::none, Op::none, rows_, count, functions, -1.0, this->functions(first), rows_,
                   inner.data(), functions, 1.0, columns, rows_);
}

// Classical Gram-Schmidt. A pass leaves as much of the span as rounding makes of what it takes out,
// so a second one is worth its time only for columns of which little is left.
void Span::take_out(double* columns, std::size_t count, std::size_t first) const {
  constexpr double little = 0.01;  // of a column's squared norm
  if (first == rank()) return;
  const auto norm = [&](std::size_t c) {
    return blas::dot(rows_, columns + c * rows_, columns + c * rows_);
  };
  std::vector<double> before(count);
  for (std::size_t c = 0; c < count; ++c) before[c] = norm(c);
  take_out_once(columns, count, first);
  std::vector<std::size_t> again;
  for (std::size_t c = 0; c < count; ++c) {
    if (!(norm(c) > little * before[c])) again.push_back(c);
  }
  if (again.size() == count) return take_out_once(columns, count, 0);
  std::vector<double> some(again.size() * rows_);
  for (std::size_t k = 0; k < again.size(); ++k) {
    std::copy_n(columns + again[k] * rows_, rows_, some.data() + k * rows_);
  }
  take_out_once(some.data(), again.size(), 0);
  for (std::size_t k = 0; k < again.size(); ++k) {
    std::copy_n(some.data() + k * rows_, rows_, columns + again[k] * rows_);
  }
}

std::vector<double> gram_of(std::size_t rows, const double* columns, std::size_t count) {
  std::vector<double> gram(count * count);
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, count, tiles);
  blas::for_each(tiles, [&](const blas::Tile& t) {
    double* to = gram.data() + t.row + t.column * count;
    if (t.diagonal) {
      blas::syrk_lower(Op::transpose, t.rows, rows, 1.0, columns + t.row * rows, rows, 0.0, to,
                       count);
    } else {
      blas::gemm(Op::transpose, Op::none, t.rows, t.columns, rows, 1.0, columns + t.row * rows,
                 rows, columns + t.column * rows, rows, 0.0, to, count);
    }
  });
  return gram;
}

// Twice a Cholesky factorisation of the inner products: the first leaves errors as large as the
// squared condition number, at most rows / least, makes them; the second none to speak of.
std::vector<double> Span::new_in(std::vector<double> columns, double least,
                                 std::size_t first) const {
  std::size_t count = columns.size() / rows_;
  take_out(columns.data(), count, first);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> gram = gram_of(rows_, columns.data(), count);
    const std::vector<std::size_t> kept =
        factor_gram(count, gram.data(), count, pass == 0 ? least : 0.0, 0, nullptr);
    std::vector<double> factor(kept.size() * kept.size());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      for (std::size_t i = k; i < kept.size(); ++i) {
        factor[i + k * kept.size()] = gram[kept[i] + kept[k] * count];
      }
      if (kept[k] != k) {
        std::copy_n(columns.data() + kept[k] * rows_, rows_, columns.data() + k * rows_);
      }
    }
    count = kept.size();
    blas::tiled_solve_right_transposed(rows_, count, factor.data(), count, columns.data(), rows_);
  }
  columns.resize(count * rows_);
  return columns;
}

// They grow to many MiB, step by step: there is room for some at first, since memory that is not
// touched costs nothing, and copies do.
void Span::append(const std::vector<double>& functions) {
  const std::size_t size = functions_.size() + functions.size();
  if (size > functions_.capacity()) {
    constexpr std::size_t some_functions = 128;
    constexpr std::size_t some_numbers = std::size_t{1} << 23U;
    std::vector<double> larger;
    larger.reserve(std::max(
        {size, 2 * functions_.capacity(), std::min(some_functions * rows_, some_numbers)}));
    use_large_pages(larger.data(), larger.capacity() * sizeof(double));
    larger.assign(functions_.begin(), functions_.end());
    functions_ = std::move(larger);
  }
  functions_.insert(functions_.end(), functions.begin(), functions.end());
}

}  // namespace fsieve::span
