#include "methods/forward/pair_promises.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/blas.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

constexpr std::size_t v_width = 192;
constexpr std::size_t u_width = 768;
constexpr std::size_t chunk = 2048;  // rows at a time
constexpr double tiny = 1e-300;

struct Scratch {
  std::vector<float> factor, scaled, squares, inner;
  std::vector<double> promise;
};

struct Columns {
  std::size_t rows;
  const float* values;
  const std::vector<double>& weight;
  const std::vector<double>& residual;

  // inner = U^T Diag(weight · residual y) V.
  void products(const PromiseTile& tile, std::size_t y, Scratch& s) const {
    const std::size_t height = tile.u1 - tile.u0;
    const std::size_t width = tile.v1 - tile.v0;
    for (std::size_t row = 0; row < rows; row += chunk) {
      const std::size_t count = std::min(chunk, rows - row);
      stop_if_asked();
      const double* label = residual.data() + y * rows + row;
      for (std::size_t i = 0; i < count; ++i) {
        s.factor[i] = static_cast<float>(weight[row + i] * label[i]);
      }
      for (std::size_t k = 0; k < width; ++k) {
        const float* column = values + (tile.v0 + k) * rows + row;
        float* to = s.scaled.data() + k * count;
        for (std::size_t i = 0; i < count; ++i) to[i] = column[i] * s.factor[i];
      }
      blas::gemm(Op::transpose, Op::none, height, width, count, 1.0F, values + tile.u0 * rows + row,
                 rows, s.scaled.data(), count, row == 0 ? 0.0F : 1.0F, s.inner.data(), height);
    }
  }

  // inner = (U²)^T Diag(weight²) V².
  void norms(const PromiseTile& tile, Scratch& s) const {
    const std::size_t height = tile.u1 - tile.u0;
    const std::size_t width = tile.v1 - tile.v0;
    for (std::size_t row = 0; row < rows; row += chunk) {
      const std::size_t count = std::min(chunk, rows - row);
      stop_if_asked();
      const auto square = [&](std::size_t c, float* to) {
        const float* column = values + c * rows + row;
        for (std::size_t i = 0; i < count; ++i) to[i] = column[i] * column[i];
      };
      for (std::size_t i = 0; i < count; ++i) {
        s.factor[i] = static_cast<float>(weight[row + i] * weight[row + i]);
      }
      for (std::size_t k = 0; k < height; ++k) square(tile.u0 + k, s.squares.data() + k * count);
      for (std::size_t k = 0; k < width; ++k) {
        float* to = s.scaled.data() + k * count;
        square(tile.v0 + k, to);
        for (std::size_t i = 0; i < count; ++i) to[i] *= s.factor[i];
      }
      blas::gemm(Op::transpose, Op::none, height, width, count, 1.0F, s.squares.data(), count,
                 s.scaled.data(), count, row == 0 ? 0.0F : 1.0F, s.inner.data(), height);
    }
  }
};

}  // namespace

std::vector<PromiseTile> all_pairs(std::size_t count) {
  std::vector<PromiseTile> parts;
  for (std::size_t v = 0; v < count; v += v_width) {
    const std::size_t end = std::min(v + v_width, count);
    parts.push_back({0, end - 1, v, end, nullptr});
  }
  return parts;
}

void pair_promises(std::size_t rows, const float* columns, const std::vector<PromiseTile>& parts,
                   const std::vector<double>& weight, const std::vector<double>& residual,
                   const PromiseTaker& take) {
  const Columns all{rows, columns, weight, residual};
  std::vector<PromiseTile> tiles;
  for (const PromiseTile& part : parts) {
    for (std::size_t v = part.v0; v < part.v1; v += v_width) {
      for (std::size_t u = part.u0; u < part.u1; u += u_width) {
        tiles.push_back(
            {u, std::min(u + u_width, part.u1), v, std::min(v + v_width, part.v1), nullptr});
      }
    }
  }
  tbb::enumerable_thread_specific<Scratch> scratch;
  in_parallel_one_by_one(tiles.size(), [&](std::size_t t) {
    PromiseTile tile = tiles[t];
    Scratch& s = scratch.local();
    const std::size_t pairs = (tile.u1 - tile.u0) * (tile.v1 - tile.v0);
    const std::size_t height = std::min(chunk, rows);
    s.factor.resize(height);
    s.scaled.resize(height * (tile.v1 - tile.v0));
    s.squares.resize(height * (tile.u1 - tile.u0));
    s.inner.resize(pairs);
    s.promise.assign(pairs, 0.0);
    for (std::size_t y = 0; y < residual.size() / rows; ++y) {
      all.products(tile, y, s);
      for (std::size_t k = 0; k < pairs; ++k) {
        s.promise[k] += static_cast<double>(s.inner[k]) * s.inner[k];
      }
    }
    all.norms(tile, s);
    for (std::size_t k = 0; k < pairs; ++k) {
      s.promise[k] /= std::max<double>(s.inner[k], tiny);
    }
    tile.promise = s.promise.data();
    take(tile);
  });
}

}  // namespace fsieve::methods
