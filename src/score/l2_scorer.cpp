// The score of the first published code: squared inner products of the centred label with all
// products of a subset's columns, which are not made orthogonal. Inner products of whole tiles of
// subsets are matrix products; those of smaller subsets are kept in tables.
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "blas/blas.h"
#include "fsieve/error.h"
#include "score/levels.h"
#include "score/scorer.h"
#include "score/subset_tiles.h"

namespace fsieve {
namespace {

using Subset = std::vector<std::size_t>;

constexpr std::size_t row_block = 256;
constexpr std::size_t b_width = 32;
constexpr std::size_t c_width = 64;

class L2Scorer final : public SubsetScorer {
 public:
  L2Scorer(const SupervisedData& data, std::size_t bins)
      : rows_(data.rows()),
        names_(data.features),
        place_(data.design.features.size()),
        label_(data.label.centred_columns()),
        most_(all_discrete(data, bins) ? most_discrete_depth : most_real_depth) {
    columns_.resize(names_.size());
    for (std::size_t k = 0; k < names_.size(); ++k) {
      place_[names_[k]] = k;
      const DesignFeature& feature = data.design.features[names_[k]];
      if (bins > 0 && !is_discrete(data, names_[k])) {
        add_bins(levels_of(data, names_[k], bins), k);
        continue;
      }
      for (std::size_t c = feature.first; c < feature.last; ++c) {
        columns_[k].push_back(data.column(c));
      }
    }
    singles_.resize(names_.size());
    for (std::size_t k = 0; k < names_.size(); ++k) singles_[k] = part({&k, 1});
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
      std::vector<std::vector<double>> tables{singles_};
      NoProgress quiet;
      for (int smaller = 2; smaller < size; ++smaller) {
        std::vector<double> table(choose_exactly(d, static_cast<std::size_t>(smaller)));
        SharedProgress unseen(quiet, "", 0);
        each_part(smaller, unseen,
                  [&](const SubsetTile& tile, std::size_t b, const std::vector<double>& parts) {
                    const std::size_t base = subset_number(joined({0, b}, tile.outer));
                    for (std::size_t c = tile.c0; c < tile.last_c(b); ++c)
                      table[base + c] = parts[c - tile.c0];
                  });
        tables.push_back(std::move(table));
      }
      each_part(size, shared,
                [&](const SubsetTile& tile, std::size_t b, std::vector<double>& parts) {
                  add_smaller(tile, b, tables, parts);
                  Subset features{0, names_[b]};
                  for (const std::size_t q : tile.outer) features.push_back(names_[q]);
                  for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) {
                    features[0] = names_[c];
                    ranking.offer(parts[c - tile.c0], features);
                  }
                });
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
    std::vector<double> left, right, products, parts, sums;
  };

  static Subset joined(Subset first, std::span<const std::size_t> rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  }

  [[nodiscard]] std::size_t label_columns() const { return label_.size() / rows_; }

  // Indicators of all bins but the first, standardised.
  void add_bins(const Levels& levels, std::size_t k) {
    for (std::size_t level = 1; level < levels.count; ++level) {
      std::vector<double>& column = binned_.emplace_back(rows_);
      double share = 0;
      for (const std::uint32_t code : levels.codes) share += code == level ? 1 : 0;
      share /= static_cast<double>(rows_);
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
      for (std::size_t y = 0; y < label_columns(); ++y) {
        double sum = 0;
        for (std::size_t i = 0; i < rows_; ++i) {
          double value = label_[y * rows_ + i];
          for (const double* column : tuple) value *= column[i];
          sum += value;
        }
        sum /= static_cast<double>(rows_);
        total += sum * sum;
      }
    });
    return total;
  }

  // Calls body(tile, b, part of {c, b, outer} for all c of the tile).
  template <class Body>
  void each_part(int size, SharedProgress& progress, const Body& body) const {
    tbb::enumerable_thread_specific<Scratch> scratch;
    for_each_tile(names_.size(), size, b_width, c_width, progress, [&](const SubsetTile& tile) {
      Scratch& s = scratch.local();
      const std::size_t width = tile.c1 - tile.c0;
      s.sums.assign((tile.b1 - tile.b0) * width, 0.0);
      std::vector<const double*> tuple;
      each_tuple(tile.outer, tuple, [&] {
        for (std::size_t y = 0; y < label_columns(); ++y) add_products(tile, tuple, y, s);
      });
      for (std::size_t b = tile.b0; b < tile.b1; ++b) {
        const double* from = s.sums.data() + (b - tile.b0) * width;
        s.parts.assign(from, from + width);
        body(tile, b, s.parts);
      }
    });
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
      blas::gemm(blas::Op::transpose, blas::Op::none, left.size(), right.size(), rows,
                 1 / static_cast<double>(rows_), s.left.data(), rows, s.right.data(), rows, 1.0,
                 s.products.data(), left.size());
    }
    for (std::size_t j = 0; j < right.size(); ++j) {
      for (std::size_t i = 0; i < left.size(); ++i) {
        const double value = s.products[i + j * left.size()];
        s.sums[left_of[i] * (tile.c1 - tile.c0) + right_of[j]] += value * value;
      }
    }
  }

  // Adds the parts of all smaller subsets of {c, b, outer}.
  void add_smaller(const SubsetTile& tile, std::size_t b,
                   const std::vector<std::vector<double>>& tables,
                   std::vector<double>& parts) const {
    const Subset prefix = joined({b}, tile.outer);
    double alone = 0;
    for (std::size_t mask = 0; mask < std::size_t{1} << prefix.size(); ++mask) {
      Subset subset;
      for (std::size_t k = 0; k < prefix.size(); ++k) {
        if ((mask >> k & 1U) != 0) subset.push_back(prefix[k]);
      }
      if (!subset.empty()) alone += tables[subset.size() - 1][subset_number(subset)];
      if (subset.size() == prefix.size()) continue;
      const Subset with_c = joined({0}, subset);
      const double* from = tables[with_c.size() - 1].data() + subset_number(with_c);
      for (std::size_t c = tile.c0; c < tile.last_c(b); ++c) parts[c - tile.c0] += from[c];
    }
    for (double& value : parts) value += alone;
  }

  std::size_t rows_;
  Subset names_;
  std::vector<std::size_t> place_;
  std::vector<double> label_;  // centred columns
  int most_;
  std::vector<std::vector<const double*>> columns_;  // per candidate
  std::vector<std::vector<double>> binned_;
  std::vector<double> singles_;
};

}  // namespace

std::unique_ptr<SubsetScorer> make_l2_scorer(const SupervisedData& data, std::size_t bins) {
  return std::make_unique<L2Scorer>(data, bins);
}

}  // namespace fsieve
