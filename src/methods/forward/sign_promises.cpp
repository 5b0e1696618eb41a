#include "methods/forward/sign_promises.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "base/parallel.h"
#include "bits/subset_tiles.h"

namespace fsieve::inline methods {
namespace {

constexpr std::size_t sign_v_width = 32;
constexpr std::size_t sign_u_width = 256;
constexpr double tiny_sum = 1e-300;

// Sum of f(u) f(v) over `rows` rows, of which u is high in `u`, v in `v` and both in `both`.
double sum_of_products(double rows, double u, double v, double both, double u_low, double u_high,
                       double v_low, double v_high) {
  return rows * u_low * v_low + u * (u_high - u_low) * v_low + v * u_low * (v_high - v_low) +
         both * (u_high - u_low) * (v_high - v_low);
}

}  // namespace

SignPromises::SignPromises(const Label& label, const double* columns, std::size_t count,
                           const std::vector<double>& residual)
    : order_(label.codes, label.classes.size()),
      columns_(count),
      bits_(count, order_.words),
      labels_(residual.size() / label.rows),
      of_class_(labels_ * order_.classes()) {
  for (std::size_t i = 0; i < label.rows; ++i) {
    for (std::size_t y = 0; y < labels_; ++y) {
      of_class_[y + label.codes[i] * labels_] = residual[y * label.rows + i];
    }
  }
  in_parallel(count, [&](std::size_t c) {
    const double* values = columns + c * label.rows;
    const auto [low, high] = std::minmax_element(values, values + label.rows);
    columns_[c] = {*low, *high, std::vector<double>(order_.classes())};
    for (std::size_t i = 0; i < label.rows; ++i) {
      if (values[i] != *high) continue;
      order_.set(bits_.column(c), i);
      ++columns_[c].set[label.codes[i]];
    }
  });
}

double SignPromises::promise(const Column& u, const Column& v, const std::uint32_t* both,
                             std::size_t stride, std::vector<double>& sums) const {
  sums.assign(labels_, 0.0);
  double norm = 0;
  for (std::size_t k = 0; k < order_.classes(); ++k) {
    const double rows = order_.rows[k];
    const double together = both[k * stride];
    const double product =
        sum_of_products(rows, u.set[k], v.set[k], together, u.low, u.high, v.low, v.high);
    for (std::size_t y = 0; y < labels_; ++y) sums[y] += product * of_class_[y + k * labels_];
    norm += sum_of_products(rows, u.set[k], v.set[k], together, u.low * u.low, u.high * u.high,
                            v.low * v.low, v.high * v.high);
  }
  double total = 0;
  for (const double sum : sums) total += sum * sum;
  return total / std::max(norm, tiny_sum);
}

void SignPromises::for_each(std::size_t count, const PromiseTaker& take) const {
  if (count < 2) return;
  NoProgress quiet;
  SharedProgress unseen(quiet, "", 0);
  tbb::enumerable_thread_specific<Scratch> scratch;
  for_each_tile(count, 2, sign_v_width, sign_u_width, unseen, [&](const SubsetTile& tile) {
    Scratch& s = scratch.local();
    const std::size_t width = tile.c1 - tile.c0;
    s.rows.clear();
    s.columns.clear();
    s.limits.clear();
    for (std::size_t v = tile.b0; v < tile.b1; ++v) {
      s.rows.push_back(bits_.column(v));
      s.limits.push_back(tile.last_c(v) > tile.c0 ? tile.last_c(v) - tile.c0 : 0);
    }
    for (std::size_t u = tile.c0; u < tile.c1; ++u) s.columns.push_back(bits_.column(u));
    s.counts.resize(order_.classes(), s.rows.size(), width);
    s.counts.add(order_, s.rows, s.limits.data(), s.columns);
    const auto stride = static_cast<std::size_t>(
        order_.classes() > 1 ? s.counts.row(1, 0) - s.counts.row(0, 0) : 0);
    s.promise.assign(s.rows.size() * width, 0.0);
    for (std::size_t r = 0; r < s.rows.size(); ++r) {
      for (std::size_t c = 0; c < s.limits[r]; ++c) {
        s.promise[r * width + c] = promise(columns_[tile.c0 + c], columns_[tile.b0 + r],
                                           s.counts.row(0, r) + c, stride, s.sums);
      }
    }
    take({tile.c0, tile.c1, tile.b0, tile.b1, s.promise.data()});
  });
}

}  // namespace fsieve::methods
