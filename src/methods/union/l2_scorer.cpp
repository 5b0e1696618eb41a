// The score of the first published code: squared inner products of the centred label with all
// products of a subset's columns, which are not made orthogonal. Inner products of whole tiles of
// subsets are matrix products; those of smaller subsets are kept in tables.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/subset_tiles.h"
#include "data/levels.h"
#include "fsieve/error.h"
#include "linalg/blas.h"
#include "methods/union/scorer.h"

namespace fsieve::inline methods {
namespace {

using Subset = std::vector<std::size_t>;

constexpr std::size_t b_width = 32;
constexpr std::size_t c_width = 64;

class L2Scorer final : public SubsetScorer {
 public:
  L2Scorer(const SupervisedData& data, std::size_t bins, double table_bytes)
      : rows_(data.rows()),
        weight_(data.weight()),
        table_bytes_(table_bytes),
        names_(data.features),
        place_(data.design.features.size()),
        label_(data.label.centred_columns()),
        most_(all_discrete(data, bins) ? most_discrete_depth : most_real_depth) {
    if (data.weighted()) weigh_label(data.label.weights);
    columns_.resize(names_.size());
    for (std::size_t k = 0; k < names_.size(); ++k) {
      place_[names_[k]] = k;
      const DesignFeature& feature = data.design.features[names_[k]];
      if (bins > 0 && !is_discrete(data, names_[k])) {
        add_bins(levels_of(data, names_[k], bins), data.label, k);
        continue;
      }
      for (std::size_t c = feature.first; c < feature.last; ++c) {
        columns_[k].push_back(data.column(c));
      }
    }
    singles_.resize(names_.size());
    in_parallel(names_.size(), [&](std::size_t k) { singles_[k] = part({&k, 1}); });
  }

  void score_all(int size, Ranking& ranking, Progress& progress) const override {
    if (size < 1 || size > most_) {
      throw Error("subsets of 1 to 6 discrete or 4 real features can be scored",
                  Error::Kind::usage);
    }
    const std::size_t d = names_.size();
    SharedProgress shared(progress, "subsets", choose(d, static_cast<std::size_t>(size)));
    if (size == 1) {
      for (std::size_t k = 0; k < d; ++k) ranking.offer(singles_[k], {&names_[k], 1});
      shared.add(d);
    } else if (d >= static_cast<std::size_t>(size)) {
      score_tiles(size, ranking, shared);
    }
    shared.end();
  }

  [[nodiscard]] double score(std::span<const std::size_t> features) const override {
    double total = 0;
    for (std::size_t mask = 1; mask < std::size_t{1} << features.size(); ++mask) {
      Subset subset;
      for (std::size_t k = 0; k < features.size(); ++k) {
        if ((mask >> k & 1U) != 0) subset.push_back(place_[features[k]]);
      }
      total += part(subset);
    }
    return total;
  }

 private:
  struct Scratch {
    std::vector<double> left, right, products, sums;
  };

  static Subset joined(Subset first, std::span<const std::size_t> rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  }

  [[nodiscard]] std::size_t label_columns() const { return label_.size() / rows_; }

  void weigh_label(const std::vector<double>& weights) {
    for (std::size_t i = 0; i < label_.size(); ++i) label_[i] *= weights[i % rows_];
  }

  // Indicators of all bins but the first, standardised.
  void add_bins(const Levels& levels, const Label& label, std::size_t k) {
    for (std::size_t level = 1; level < levels.count; ++level) {
      std::vector<double>& column = binned_.emplace_back(rows_);
      double share = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        share += levels.codes[i] == level ? label.weight_of(i) : 0;
      }
      share /= weight_;
      const double deviation = std::sqrt(share * (1 - share));
      for (std::size_t i = 0; i < rows_; ++i) {
        column[i] = ((levels.codes[i] == level ? 1 : 0) - share) / deviation;
      }
      columns_[k].push_back(column.data());
    }
  }

  // Calls body(tuple) for every choice of one column per feature.
  template <class Body>
  void each_tuple(std::span<const std::size_t> features, std::vector<const double*>& tuple,
                  const Body& body) const {
    if (tuple.size() == features.size()) return body();
    for (const double* column : columns_[features[tuple.size()]]) {
      tuple.push_back(column);
      each_tuple(features, tuple, body);
      tuple.pop_back();
    }
  }

  // The squared inner products of the label with products of one column of each of the features.
  [[nodiscard]] double part(std::span<const std::size_t> features) const {
    double total = 0;
    std::vector<const double*> tuple;
    each_tuple(features, tuple, [&] {
      stop_if_asked();
      for (std::size_t y = 0; y < label_columns(); ++y) {
        double sum = 0;
        for (std::size_t i = 0; i < rows_; ++i) {
          double value = label_[y * rows_ + i];
          for (const double* column : tuple) value *= column[i];
          sum += value;
        }
        sum /= weight_;
        total += sum * sum;
      }
    });
    return total;
  }

  using Tables = std::vector<std::vector<double>>;  // parts of subsets of sizes 1, 2, …

  void score_tiles(int size, Ranking& ranking, SharedProgress& progress) const {
    const std::size_t d = names_.size();
    tbb::enumerable_thread_specific<Scratch> scratch;
    Tables tables{singles_};
    NoProgress quiet;
    for (int smaller = 2; smaller < size; ++smaller) {
      const double bytes = choose(d, static_cast<std::size_t>(smaller)) * sizeof(double);
      // Only the largest table may be left out: its parts are then made again where needed.
      if (smaller == size - 1 && bytes > table_bytes_) break;
      std::vector<double> table(choose_exactly(d, static_cast<std::size_t>(smaller)));
      SharedProgress unseen(quiet, "", 0);
      for_each_tile(d, smaller, b_width, c_width, unseen, [&](const SubsetTile& tile) {
        Scratch& s = scratch.local();
        clear_sums(tile, s);
        add_parts(tile, tile.outer, s);
        for (std::size_t b = tile.b0; b < tile.b1; ++b) {
          const std::size_t base = subset_number(joined({0, b}, tile.outer));
          for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
            table[base + c] = row_of(tile, b, s)[c - tile.c0];
          }
        }
      });
      tables.push_back(std::move(table));
    }
    for_each_tile(d, size, b_width, c_width, progress, [&](const SubsetTile& tile) {
      Scratch& s = scratch.local();
      clear_sums(tile, s);
      add_parts(tile, tile.outer, s);
      if (tables.size() <= tile.outer.size()) add_untabled(tile, s);
      Subset features = joined({0, 0}, tile.outer);
      for (std::size_t& q : features) q = names_[q];
      for (std::size_t b = tile.b0; b < tile.b1; ++b) {
        double* row = row_of(tile, b, s);
        add_tabled(tile, b, tables, row);
        features[1] = names_[b];
        for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
          features[0] = names_[c];
          ranking.offer(row[c - tile.c0], features);
        }
      }
    });
  }

  static void clear_sums(const SubsetTile& tile, Scratch& s) {
    s.sums.assign((tile.b1 - tile.b0) * (tile.c1 - tile.c0), 0.0);
  }
  static double* row_of(const SubsetTile& tile, std::size_t b, Scratch& s) {
    return s.sums.data() + (b - tile.b0) * (tile.c1 - tile.c0);
  }

  // Adds the parts of {c, b, outer} to the sums of the tile.
  void add_parts(const SubsetTile& tile, std::span<const std::size_t> outer, Scratch& s) const {
    std::vector<const double*> tuple;
    each_tuple(outer, tuple, [&] {
      for (std::size_t y = 0; y < label_columns(); ++y) add_products(tile, tuple, y, s);
    });
  }

  // The same for all subsets that have one feature less.
  void add_untabled(const SubsetTile& tile, Scratch& s) const {
    for (std::size_t left_out = 0; left_out < tile.outer.size(); ++left_out) {
      Subset outer(tile.outer.begin(), tile.outer.end());
      outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(left_out));
      add_parts(tile, outer, s);
    }
    const std::size_t width = tile.c1 - tile.c0;
    for (std::size_t c = tile.c0; c < tile.c1; ++c) {
      const double value = part(joined({c}, tile.outer));
      for (std::size_t k = c - tile.c0; k < s.sums.size(); k += width) s.sums[k] += value;
    }
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      const double value = part(joined({b}, tile.outer));
      for (std::size_t k = 0; k < width; ++k) row_of(tile, b, s)[k] += value;
    }
  }

  void add_products(const SubsetTile& tile, const std::vector<const double*>& tuple, std::size_t y,
                    Scratch& s) const {
    std::vector<const double*> left, right;
    std::vector<std::size_t> left_of, right_of;
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      for (const double* column : columns_[b]) {
        left.push_back(column);
        left_of.push_back(b - tile.b0);
      }
    }
    for (std::size_t c = tile.c0; c < tile.c1; ++c) {
      for (const double* column : columns_[c]) {
        right.push_back(column);
        right_of.push_back(c - tile.c0);
      }
    }
    s.left.resize(row_block * left.size());
    s.right.resize(row_block * right.size());
    s.products.assign(left.size() * right.size(), 0.0);
    for (std::size_t row = 0; row < rows_; row += row_block) {
      const std::size_t rows = std::min(row_block, rows_ - row);
      stop_if_asked();
      double weights[row_block];
      for (std::size_t i = 0; i < rows; ++i) {
        weights[i] = label_[y * rows_ + row + i];
        for (const double* column : tuple) weights[i] *= column[row + i];
      }
      for (std::size_t k = 0; k < left.size(); ++k) {
        for (std::size_t i = 0; i < rows; ++i) {
          s.left[k * rows + i] = weights[i] * left[k][row + i];
        }
      }
      for (std::size_t k = 0; k < right.size(); ++k) {
        std::copy_n(right[k] + row, rows, s.right.data() + k * rows);
      }
      blas::gemm(blas::Op::transpose, blas::Op::none, left.size(), right.size(), rows, 1 / weight_,
                 s.left.data(), rows, s.right.data(), rows, 1.0, s.products.data(), left.size());
    }
    for (std::size_t j = 0; j < right.size(); ++j) {
      for (std::size_t i = 0; i < left.size(); ++i) {
        const double value = s.products[i + j * left.size()];
        s.sums[left_of[i] * (tile.c1 - tile.c0) + right_of[j]] += value * value;
      }
    }
  }

  // Adds the parts of all smaller subsets of {c, b, outer} that tables have.
  static void add_tabled(const SubsetTile& tile, std::size_t b, const Tables& tables, double* row) {
    const Subset prefix = joined({b}, tile.outer);
    double alone = 0;
    for (std::size_t mask = 0; mask < std::size_t{1} << prefix.size(); ++mask) {
      Subset subset;
      for (std::size_t k = 0; k < prefix.size(); ++k) {
        if ((mask >> k & 1U) != 0) subset.push_back(prefix[k]);
      }
      if (!subset.empty() && subset.size() <= tables.size()) {
        alone += tables[subset.size() - 1][subset_number(subset)];
      }
      const Subset with_c = joined({0}, subset);
      if (with_c.size() > std::min(tables.size(), prefix.size())) continue;
      const double* from = tables[with_c.size() - 1].data() + subset_number(with_c);
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) row[c - tile.c0] += from[c];
    }
    for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) row[c - tile.c0] += alone;
  }

  std::size_t rows_;
  double weight_;  // of all rows
  double table_bytes_;
  Subset names_;
  std::vector<std::size_t> place_;
  std::vector<double> label_;  // centred columns, times the weights of the rows
  int most_;
  std::vector<std::vector<const double*>> columns_;  // per candidate
  std::vector<std::vector<double>> binned_;
  std::vector<double> singles_;
};

}  // namespace

std::unique_ptr<SubsetScorer> make_l2_scorer(const SupervisedData& data, std::size_t bins,
                                             double table_bytes) {
  return std::make_unique<L2Scorer>(data, bins, table_bytes);
}

}  // namespace fsieve::methods
