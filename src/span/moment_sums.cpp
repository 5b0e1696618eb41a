#include "span/moment_sums.h"

#include <algorithm>
#include <utility>

#include "base/binary.h"
#include "base/parallel.h"
#include "linalg/blas.h"
#include "linalg/tiles.h"
#include "source/weights.h"

namespace fsieve::inline span {
namespace {

// Left halves that are multiplied together, at least: fewer make thin matrices.
constexpr std::size_t least_lefts = 48;
// Right halves that they are multiplied with at a time: BLAS copies the left ones every time.
constexpr std::size_t rights_at_once = 4 * blas::tile;

// Is a column three times in it? No product of two parities has that.
bool has_cube(const std::array<std::uint32_t, max_depth>& symbols) {
  for (std::size_t k = 0; k + 2 < symbols.size(); ++k) {
    if (symbols[k] != 0 && symbols[k] == symbols[k + 2]) return true;
  }
  return false;
}

}  // namespace

template <class Real>
MomentSums<Real>::MomentSums(const Design& design, MomentIndex index, std::size_t bytes)
    : design_(&design), index_(std::move(index)), bytes_(bytes) {
  number_halves();
  cut_panels();
}

template <class Real>
void MomentSums<Real>::number_halves() {
  const std::size_t depth = index_.depth();
  by_size_.resize(depth + 1);
  std::array<std::uint32_t, max_depth> symbols{};
  for (;;) {
    std::size_t size = 0;
    std::size_t rest = 0;
    for (; size < depth && symbols[size] != 0; ++size) {
      if (size > 0) rest += index_.weight(depth + size - 1, symbols[size]);
    }
    by_size_[size].push_back(halves_.size());
    halves_.push_back({symbols, rest});
    std::size_t place = depth;  // the last symbol that may grow
    do {
      if (place == 0) return;
      --place;
    } while (symbols[place] == (place == 0 ? index_.columns().size() : symbols[place - 1]));
    ++symbols[place];
    std::fill(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1, symbols.end(), 0U);
  }
}

// Halves whose first symbol is no larger.
template <class Real>
std::size_t MomentSums<Real>::rights_up_to(std::uint32_t symbol) const {
  const auto after = std::partition_point(
      halves_.begin(), halves_.end(), [&](const Half& half) { return half.symbols[0] <= symbol; });
  return static_cast<std::size_t>(after - halves_.begin());
}

template <class Real>
void MomentSums<Real>::cut_panels() {
  const std::size_t last = index_.depth() - 1;
  std::vector<std::vector<std::size_t>> by_last(index_.columns().size() + 1);
  for (std::size_t h = 0; h < halves_.size(); ++h) {
    const auto& symbols = halves_[h].symbols;
    if (symbols[0] > index_.old_columns() && !has_cube(symbols)) {
      by_last[symbols[last]].push_back(h);
    }
  }
  std::size_t size = 0;
  std::size_t begin = 0;
  std::uint32_t largest = 0;
  for (std::size_t symbol = by_last.size(); symbol-- > 0;) {
    if (lefts_.size() == begin) largest = static_cast<std::uint32_t>(symbol);
    lefts_.insert(lefts_.end(), by_last[symbol].begin(), by_last[symbol].end());
    if (lefts_.size() - begin < (symbol > 0 ? least_lefts : 1)) continue;
    const Panel panel{begin, lefts_.size(), rights_up_to(largest), size};
    for (std::size_t left = 0; left < panel.last - begin; left += blas::tile) {
      const std::size_t lefts = std::min(blas::tile, panel.last - begin - left);
      for (std::size_t right = 0; right < panel.rights; right += rights_at_once) {
        const std::size_t rights = std::min(rights_at_once, panel.rights - right);
        tasks_.push_back({panels_.size(), left, lefts, right, rights});
      }
    }
    size += panel.rights * (panel.last - begin);
    begin = panel.last;
    panels_.push_back(panel);
  }
  sums_ = Buffer(size, 0.0);
}

template <class Real>
void MomentSums<Real>::add(const Block& block) {
  running_.resize(sums_.size());
  for (std::size_t row = 0; row < block.rows; row += slice_rows) {
    const std::size_t count = std::min(slice_rows, block.rows - row);
    evaluate(block, row, count);
    multiply(count);
    if (++slices_ == most_slices) settle();
  }
  settle();
}

template <class Real>
void MomentSums<Real>::evaluate(const Block& block, std::size_t row, std::size_t count) {
  const std::vector<std::size_t>& columns = index_.columns();
  columns_.resize(columns.size() * count);
  in_parallel(columns.size(), [&](std::size_t k) {
    double values[slice_rows];
    design_->standardised(block, row, count, columns[k], values);
    std::copy_n(values, count, columns_.data() + k * count);
  });
  values_.resize(halves_.size() * count);
  double ones[slice_rows];
  std::fill_n(ones, count, 1.0);
  RootWeights(part_of(block.weights, row, count)).scale(ones);
  std::copy_n(ones, count, values_.data());
  for (std::size_t size = 1; size < by_size_.size(); ++size) {
    in_parallel(by_size_[size].size(), [&](std::size_t k) {
      const std::size_t h = by_size_[size][k];
      const Real* first = columns_.data() + (halves_[h].symbols[0] - 1) * count;
      const Real* rest = values_.data() + halves_[h].rest * count;
      Real* out = values_.data() + h * count;
      for (std::size_t i = 0; i < count; ++i) out[i] = first[i] * rest[i];
    });
  }
  left_.resize(lefts_.size() * count);
  in_parallel(lefts_.size(), [&](std::size_t k) {
    std::copy_n(values_.data() + lefts_[k] * count, count, left_.data() + k * count);
  });
}

template <class Real>
void MomentSums<Real>::multiply(std::size_t count) {
  using blas::Op;
  const Real before = slices_ == 0 ? 0 : 1;
  in_parallel_one_by_one(tasks_.size(), [&](std::size_t k) {
    const Task& t = tasks_[k];
    const Panel& panel = panels_[t.panel];
    blas::gemm(Op::transpose, Op::none, t.rights, t.lefts, count, Real(1),
               values_.data() + t.right * count, count,
               left_.data() + (panel.first + t.left) * count, count, before,
               running_.data() + panel.place + t.right + t.left * panel.rights, panel.rights);
  });
}

template <class Real>
void MomentSums<Real>::settle() {
  if (std::exchange(slices_, 0) == 0) return;
  in_parallel(panels_.size(), [&](std::size_t p) {
    const std::size_t first = panels_[p].place;
    const std::size_t end = p + 1 < panels_.size() ? panels_[p + 1].place : sums_.size();
    for (std::size_t i = first; i < end; ++i) {
      sums_.data()[i] += static_cast<double>(running_[i]);
    }
  });
}

template <class Real>
void MomentSums<Real>::merge(const MomentSums& other) {
  blas::axpy(sums_.size(), 1.0, other.sums_.data(), sums_.data());
}

template <class Real>
void MomentSums<Real>::save(std::ostream& out) const {
  save_values(out, sums_);
}

template <class Real>
void MomentSums<Real>::load(std::istream& in) {
  load_values(in, sums_);
}

template <class Real>
Buffer MomentSums<Real>::moments() const {
  Buffer moments(index_.count());
  const std::size_t depth = index_.depth();
  for (const Panel& panel : panels_) {
    in_parallel(panel.last - panel.first, [&](std::size_t k) {
      const auto& symbols = halves_[lefts_[panel.first + k]].symbols;
      std::size_t number = 0;
      for (std::size_t place = 0; place < depth; ++place) {
        number += index_.weight(place, symbols[place]);
      }
      const double* from = sums_.data() + panel.place + k * panel.rights;
      double* to = moments.data() + (number - index_.first());
      const std::size_t count = rights_up_to(symbols[depth - 1]);
      for (std::size_t r = 0; r < count; ++r) to[r] = from[r] / design_->weight;
    });
  }
  return moments;
}

template class MomentSums<double>;
template class MomentSums<float>;

}  // namespace fsieve::span
