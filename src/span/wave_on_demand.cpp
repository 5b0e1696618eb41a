#include "span/wave_on_demand.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "linalg/tiles.h"
#include "source/parted_source.h"
#include "span/moment_sums.h"
#include "span/product_sums.h"
#include "span/products.h"
#include "stats/fold.h"

namespace fsieve::inline span {
namespace {

using blas::Op;

// Rows and columns go through the kernels of BLAS in small groups, and what is left of the last
// group takes another way, with other last digits. Numbers that do not depend on how the work is
// cut come from whole groups.
constexpr std::size_t column_group = 2;  // of a product
constexpr std::size_t row_group = 4;     // of a triangular solution

std::size_t whole(std::size_t count, std::size_t group) {
  return (count + group - 1) / group * group;
}

// C -= A op(B), where there is room for one column more in B and C. `alone`: the last column is the
// one that is left over.
void subtract(std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda,
              Op b_op, const double* b, std::size_t ldb, double* c, std::size_t ldc, bool alone) {
  if (n == 0) return;
  const std::size_t last = n - 1;
  std::vector<double> left;
  if (alone) left.assign(c + last * ldc, c + last * ldc + m);
  std::vector<blas::Tile> tiles;
  blas::add_tiles(0, m, 0, whole(alone ? last : n, column_group), tiles);
  blas::for_each(tiles, [&](const blas::Tile& t) {
    blas::gemm(Op::none, b_op, t.rows, t.columns, k, -1.0, a + t.row, lda,
               b_op == Op::none ? b + t.column * ldb : b + t.column, ldb, 1.0,
               c + t.row + t.column * ldc, ldc);
  });
  if (!alone) return;
  std::copy(left.begin(), left.end(), c + last * ldc);
  blas::gemm(Op::none, b_op, m, 1, k, -1.0, a, lda, b_op == Op::none ? b + last * ldb : b + last,
             ldb, 1.0, c + last * ldc, ldc);
}

// Lower triangle of C -= A Aᵀ.
void subtract_squares(std::size_t n, std::size_t k, const double* a, std::size_t lda, double* c,
                      std::size_t ldc) {
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, n, tiles);
  blas::for_each(tiles, [&](const blas::Tile& t) {
    double* target = c + t.row + t.column * ldc;
    if (t.diagonal) {
      blas::syrk_lower(Op::none, t.columns, k, -1.0, a + t.column, lda, 1.0, target, ldc);
    } else {
      blas::gemm(Op::none, Op::transpose, t.rows, t.columns, k, -1.0, a + t.row, lda, a + t.column,
                 lda, 1.0, target, ldc);
    }
  });
}

}  // namespace

WaveOnDemand::WaveOnDemand(const Source& source, const Design& design,
                           const std::vector<Parity>& old_parities,
                           const std::vector<Parity>& new_parities,
                           const std::vector<bool>& trivial,
                           const std::vector<std::size_t>& singles, const double* lower,
                           const std::vector<double>& coordinates,
                           const StandardisedColumns* columns, bool most_stay, bool narrow,
                           std::optional<MomentIndex> moments, Progress& progress)
    : WaveColumns(Buffer((old_parities.size() + new_parities.size()) * new_parities.size()),
                  old_parities.size(), old_parities.size() + new_parities.size()),
      source_(source),
      design_(design),
      old_parities_(old_parities),
      new_parities_(new_parities),
      trivial_(trivial),
      singles_(singles),
      lower_(lower),
      coordinates_(coordinates),
      columns_(columns),
      most_stay_(most_stay),
      narrow_(narrow),
      index_(std::move(moments)),
      progress_(progress),
      new_(new_parities.size()),
      single_stride_(whole(singles.size(), row_group)),
      slots_(new_) {}

bool WaveOnDemand::possible(const Source& source, const Design& design,
                            const std::vector<Parity>& old_parities,
                            const std::vector<Parity>& new_parities,
                            const std::vector<std::size_t>& singles, bool narrow) {
  return !source.in_memory().empty() && rows_are_here(source) &&
         (narrow || !can_be_counted(source, design, old_parities, new_parities, singles));
}

std::size_t WaveOnDemand::all_bytes() const {
  return (height_ + singles_.size()) * new_ * sizeof(double);
}

// Many at a time where most stay: every time the functions before are evaluated again. Else few:
// products with those that do not stay are for nothing.
std::size_t WaveOnDemand::next_end() const {
  constexpr std::size_t many = 1024;
  const bool most_stay = decided_ == 0 ? most_stay_ : 4 * kept_ >= 3 * decided_;
  const std::size_t before = old_ + kept_;
  const std::size_t wanted = most_stay ? std::max(before, many) : before / 2;
  std::size_t end = formed_;
  for (std::size_t open = 0;
       end < new_ && (open < wanted || end % blas::tile != 0 || end == formed_); ++end) {
    if (!trivial_[end]) ++open;
  }
  return end;
}

void WaveOnDemand::form_until(std::size_t end) {
  while (formed_ < end) {
    const std::size_t last = next_end();
    form(formed_, last);
    formed_ = last;
  }
}

void WaveOnDemand::form(std::size_t first, std::size_t last) {
  std::vector<std::size_t> before;
  for (const Panel& panel : panels_) {
    before.insert(before.end(), panel.kept.begin(), panel.kept.end());
  }
  for (std::size_t k = decided_; k < first; ++k) {
    if (!trivial_[k]) before.push_back(k);
  }
  const std::size_t stride = whole(last - first, row_group);
  Buffer across(stride * (before.size() + column_group), 0.0);
  add_up(first, last, before, across);
  project_out(first, last, before, across);
  take_out_panels(first, last, before, across);
  for (std::size_t c = 0; c < before.size(); ++c) {
    std::copy_n(across.data() + c * stride, last - first, at(first, before[c]));
  }
}

void WaveOnDemand::add_up(std::size_t first, std::size_t last,
                          const std::vector<std::size_t>& before, Buffer& across) {
  if (index_) {
    look_up(first, last, before, across);
    return;
  }
  const std::size_t width = whole(before.size(), column_group);
  std::vector<Parity> functions = old_parities_;
  for (const std::size_t k : before) functions.push_back(new_parities_[k]);
  functions.resize(old_ + width);
  const std::size_t own = functions.size();  // where those of the parities begin
  // Tile by tile, in whole groups; the very last parity of an odd number goes by itself.
  const bool odd = new_ % column_group != 0;
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Range> ranges;        // of the functions, counted from `own`
  std::vector<std::size_t> places;  // of each of these: the parity, or none
  constexpr std::size_t none = SIZE_MAX;
  for (std::size_t tile = first; tile < last; tile += blas::tile) {
    const std::size_t begin = places.size();
    for (std::size_t q = tile; q < std::min(tile + blas::tile, last); ++q) {
      if (!trivial_[q]) places.push_back(q);
    }
    const bool by_itself = odd && !places.empty() && places.back() + 1 == new_;
    if (places.size() > begin && (places.size() - begin) % column_group != (by_itself ? 1 : 0)) {
      if (by_itself) {
        places.insert(places.end() - 1, none);
      } else {
        places.push_back(none);
      }
    }
    if (places.size() > begin) ranges.push_back({begin, places.size()});
  }
  for (const std::size_t q : places) functions.push_back(q == none ? Parity() : new_parities_[q]);
  const std::size_t count = places.size();
  const std::size_t own_place = old_ * count;
  const std::size_t across_place = own_place + count * count;
  std::vector<ProductTile> tiles;
  const auto add = [&](const std::vector<blas::Tile>& some, std::size_t rows, std::size_t columns,
                       std::size_t place, std::size_t stride) {
    for (const blas::Tile& t : some) tiles.push_back(product_tile(t, rows, columns, place, stride));
  };
  std::vector<blas::Tile> on_old;
  std::vector<blas::Tile> on_own;
  std::vector<blas::Tile> on_before;
  for (const Range& range : ranges) {
    const std::size_t size = range.end - range.begin;
    blas::add_tiles(0, old_, range.begin, size, on_old);
    on_own.push_back({range.begin, size, range.begin, size, true});
    blas::add_tiles(range.end, count - range.end, range.begin, size, on_own);
  }
  blas::add_tiles(0, count, 0, width, on_before);
  add(on_old, 0, own, 0, old_);
  add(on_own, own, own, own_place, count);
  add(on_before, own, old_, across_place, count);

  Buffer sums =
      std::move(fold(source_,
                     ProductSums(design_, std::move(functions), {}, std::move(tiles),
                                 across_place + count * width, all_bytes(), nullptr, narrow_),
                     "inner products", progress_)
                    .sums());
  const double n = design_.weight;
  for (std::size_t q = first; q < last; ++q) {
    std::fill_n(data_.data() + q * height_, old_, 0.0);
    std::fill(at(q, q), at(last, q), 0.0);
  }
  in_parallel(count, [&](std::size_t q) {
    if (places[q] == none) return;
    const double* from = sums.data() + q * old_;
    double* to = data_.data() + places[q] * height_;
    for (std::size_t k = 0; k < old_; ++k) to[k] = from[k] / n;
    from = sums.data() + own_place + q * count;
    for (std::size_t r = q; r < count; ++r) {
      if (places[r] != none) *at(places[r], places[q]) = from[r] / n;
    }
  });
  const std::size_t stride = whole(last - first, row_group);
  in_parallel(before.size(), [&](std::size_t c) {
    const double* from = sums.data() + across_place + c * count;
    for (std::size_t r = 0; r < count; ++r) {
      if (places[r] != none) across.data()[places[r] - first + c * stride] = from[r] / n;
    }
  });
}

// What add_up() does, of sums over rows that are formed once for the wave.
void WaveOnDemand::look_up(std::size_t first, std::size_t last,
                           const std::vector<std::size_t>& before, Buffer& across) {
  if (moments_.size() == 0) {
    form_moments();
    for (const Parity& parity : old_parities_) symbols_.push_back(index_->symbols_of(parity));
    for (const Parity& parity : new_parities_) symbols_.push_back(index_->symbols_of(parity));
  }
  const MomentIndex::Symbols* const added = symbols_.data() + old_;
  const double* const moments = moments_.data();
  in_parallel(last - first, [&](std::size_t k) {
    const std::size_t q = first + k;
    double* const column = data_.data() + q * height_;
    std::fill_n(column, old_, 0.0);
    std::fill(at(q, q), at(last, q), 0.0);
    if (trivial_[q]) return;
    MomentRow row(*index_, new_parities_[q]);
    for (std::size_t f = 0; f < old_; ++f) column[f] = moments[row.number(symbols_[f])];
    for (std::size_t r = q; r < last; ++r) {
      if (!trivial_[r]) *at(r, q) = moments[row.number(added[r])];
    }
  });
  const std::size_t stride = whole(last - first, row_group);
  in_parallel(before.size(), [&](std::size_t c) {
    MomentRow row(*index_, new_parities_[before[c]]);
    for (std::size_t q = first; q < last; ++q) {
      if (!trivial_[q]) across.data()[q - first + c * stride] = moments[row.number(added[q])];
    }
  });
}

void WaveOnDemand::form_moments() {
  const auto formed = [&]<class Real>(MomentSums<Real> zero) {
    return fold(source_, std::move(zero), "inner products", progress_).moments();
  };
  moments_ = narrow_ ? formed(MomentSums<float>(design_, *index_, all_bytes()))
                     : formed(MomentSums<double>(design_, *index_, all_bytes()));
}

void WaveOnDemand::project_out(std::size_t first, std::size_t last,
                               const std::vector<std::size_t>& before, Buffer& across) {
  const std::size_t count = last - first;
  double* const own = data_.data() + first * height_;
  blas::tiled_solve_lower(old_, count, lower_, old_, own, height_);
  std::vector<blas::Tile> tiles;
  blas::add_lower_tiles(0, 0, count, tiles);
  blas::for_each(tiles, [&](const blas::Tile& t) {
    const double* right = own + t.column * height_;
    double* target = at(first + t.row, first + t.column);
    if (t.diagonal) {
      blas::syrk_lower(Op::transpose, t.columns, old_, -1.0, right, height_, 1.0, target, height_);
    } else {
      blas::gemm(Op::transpose, Op::none, t.rows, t.columns, old_, -1.0, own + t.row * height_,
                 height_, right, height_, 1.0, target, height_);
    }
  });
  const std::size_t width = whole(before.size(), column_group);
  const std::size_t stride = whole(count, row_group);
  Buffer gathered(old_ * width, 0.0);
  for (std::size_t c = 0; c < before.size(); ++c) {
    std::copy_n(data_.data() + before[c] * height_, old_, gathered.data() + c * old_);
  }
  blas::tiled_gemm(Op::transpose, Op::none, count, width, old_, -1.0, own, height_, gathered.data(),
                   old_, 1.0, across.data(), stride);
}

void WaveOnDemand::take_out_panels(std::size_t first, std::size_t last,
                                   const std::vector<std::size_t>& before, Buffer& across) {
  const std::size_t count = last - first;
  const std::size_t stride = whole(count, row_group);
  std::size_t column = 0;
  for (const Panel& panel : panels_) {
    const std::size_t kept = panel.kept.size();
    double* const on_it = across.data() + column * stride;
    solve(panel, first, count, on_it, stride);
    column += kept;
    const std::size_t later = before.size() - column;
    const std::vector<double> others = on_panel(panel, before.data() + column, later, later + 1);
    subtract(count, later, kept, on_it, stride, Op::transpose, others.data(), later + 1,
             across.data() + column * stride, stride, false);
    subtract_squares(count, kept, on_it, stride, at(first, first), height_);
  }
}

std::vector<double> WaveOnDemand::on_panel(const Panel& panel, const std::size_t* rows,
                                           std::size_t count, std::size_t stride) const {
  std::vector<double> coordinates(stride * panel.kept.size());
  for (std::size_t k = 0; k < panel.kept.size(); ++k) {
    for (std::size_t r = 0; r < count; ++r) {
      coordinates[r + k * stride] = on_new(rows[r], panel.kept[k]);
    }
  }
  return coordinates;
}

void WaveOnDemand::solve(const Panel& panel, std::size_t first, std::size_t count, double* b,
                         std::size_t stride) const {
  const std::size_t kept = panel.kept.size();
  const std::size_t all = new_ + singles_.size();
  const std::size_t left_over = all - (all - panel.end) % row_group;  // from this row on
  const std::size_t grouped = std::min(count, left_over - std::min(first, left_over));
  std::vector<double> rest;
  for (std::size_t k = 0; k < kept; ++k) {
    rest.insert(rest.end(), b + grouped + k * stride, b + count + k * stride);
  }
  blas::tiled_solve_right_transposed(whole(grouped, row_group), kept, panel.lower.data(), kept, b,
                                     stride);
  if (rest.empty()) return;
  const std::size_t few = count - grouped;
  blas::solve_right_transposed(few, kept, panel.lower.data(), kept, rest.data(), few);
  for (std::size_t k = 0; k < kept; ++k) {
    std::copy_n(rest.data() + k * few, few, b + grouped + k * stride);
  }
}

std::vector<std::size_t> WaveOnDemand::factorise(std::size_t begin, std::size_t end,
                                                 const std::function<bool(std::size_t)>& keep) {
  form_until(end);
  std::vector<std::size_t> kept = panel_.factorise(begin, end, at(begin, begin), height_, keep);
  decided_ = end;
  if (kept.empty()) return kept;
  kept_ += kept.size();
  panels_.push_back({end, kept, panel_.coordinates(kept)});
  update_formed(panels_.back());
  return kept;
}

void WaveOnDemand::update_formed(const Panel& panel) {
  const std::size_t below = formed_ - panel.end;
  if (below == 0) return;
  const std::size_t stride = whole(below, row_group);
  Buffer rest(stride * panel.kept.size(), 0.0);
  for (std::size_t k = 0; k < panel.kept.size(); ++k) {
    std::copy_n(at(panel.end, panel.kept[k]), below, rest.data() + k * stride);
  }
  solve(panel, panel.end, below, rest.data(), stride);
  for (std::size_t k = 0; k < panel.kept.size(); ++k) {
    std::copy_n(rest.data() + k * stride, below, at(panel.end, panel.kept[k]));
  }
  subtract_squares(below, panel.kept.size(), rest.data(), stride, at(panel.end, panel.end),
                   height_);
}

void WaveOnDemand::form_singles() {
  if (single_panels_ == panels_.size()) return;
  std::vector<std::size_t> columns;
  for (std::size_t p = single_panels_; p < panels_.size(); ++p) {
    columns.insert(columns.end(), panels_[p].kept.begin(), panels_[p].kept.end());
  }
  if (singles_.empty()) {
    single_panels_ = panels_.size();
    return;
  }
  const std::size_t rows = singles_.size();
  const std::size_t stride = single_stride_;
  // Of products that begin at parity `from`, is the last one left over?
  const auto alone = [&](std::size_t from) {
    return columns.back() + 1 == new_ && (new_ - from) % column_group != 0;
  };
  std::vector<double> found = single_products(columns, alone(0));
  std::vector<double> gathered(old_ * (columns.size() + 1));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::copy_n(data_.data() + columns[c] * height_, old_, gathered.data() + c * old_);
  }
  if (new_ == 1) {
    blas::tiled_gemm(Op::none, Op::none, rows, 1, old_, -1.0, coordinates_.data(), rows,
                     gathered.data(), old_, 1.0, found.data(), stride);
  } else {
    subtract(rows, columns.size(), old_, coordinates_.data(), rows, Op::none, gathered.data(), old_,
             found.data(), stride, alone(0));
  }
  std::size_t column = 0;
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    const Panel& panel = panels_[p];
    const std::size_t kept = panel.kept.size();
    const double* on_it = nullptr;
    if (p < single_panels_) {
      on_it = on_singles_.data() + slots_[panel.kept[0]] * stride;
    } else {
      double* const own = found.data() + column * stride;
      solve(panel, new_, rows, own, stride);
      column += kept;
      on_it = own;
    }
    const std::size_t later = columns.size() - column;
    if (later == 0) break;
    const std::vector<double> others = on_panel(panel, columns.data() + column, later, later + 1);
    subtract(rows, later, kept, on_it, stride, Op::transpose, others.data(), later + 1,
             found.data() + column * stride, stride, alone(panel.end));
  }
  std::size_t slot = on_singles_.size() / stride;
  for (const std::size_t q : columns) slots_[q] = slot++;
  on_singles_.insert(on_singles_.end(), found.begin(),
                     found.begin() + static_cast<std::ptrdiff_t>(columns.size() * stride));
  single_panels_ = panels_.size();
}

std::vector<double> WaveOnDemand::single_products(const std::vector<std::size_t>& columns,
                                                  bool alone) const {
  const std::size_t rows = singles_.size();
  const std::size_t paired = whole(columns.size() - (alone ? 1 : 0), column_group);
  std::vector<Parity> functions;
  for (std::size_t c = 0; c < columns.size() - (alone ? 1 : 0); ++c) {
    functions.push_back(new_parities_[columns[c]]);
  }
  functions.resize(paired);
  if (alone) functions.push_back(new_parities_[columns.back()]);
  const std::size_t width = functions.size();
  std::vector<blas::Tile> tiles;
  blas::add_tiles(0, rows, 0, paired, tiles);
  if (alone) blas::add_tiles(0, rows, paired, 1, tiles);
  std::vector<ProductTile> products;
  products.reserve(tiles.size());
  for (const blas::Tile& t : tiles) products.push_back(product_tile(t, width, 0, 0, rows));
  const Buffer sums =
      std::move(fold(source_,
                     ProductSums(design_, std::move(functions), singles_, std::move(products),
                                 rows * width, all_bytes(), columns_, narrow_),
                     "inner products", progress_)
                    .sums());
  std::vector<double> found(single_stride_ * (columns.size() + 1));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::size_t place = alone && c + 1 == columns.size() ? paired : c;
    const double* from = sums.data() + place * rows;
    for (std::size_t s = 0; s < rows; ++s) {
      found[s + c * single_stride_] = from[s] / design_.weight;
    }
  }
  return found;
}

}  // namespace fsieve::span
