#include "data/seen_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/binary_lists.h"
#include "base/parallel.h"
#include "data/design_binary.h"
#include "data/families.h"
#include "source/whole_table.h"

namespace fsieve::inline data {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

SeenColumns::SeenColumns(Design design, const Source& sample, bool curves, bool ranked)
    : design_(std::move(design)),
      features_(design_.features.size()),
      ranks_(design_.features.size()) {
  const Block rows = whole_table(sample);
  in_parallel(features_.size(), [&](std::size_t f) {
    features_[f].real = is_real(design_, f);
    if (features_[f].real) ranks_[f].emplace(rows.column(f), rows.weights);
  });
  for (std::size_t f = 0; f < features_.size(); ++f) {
    SeenFeature& feature = features_[f];
    const auto add = [&](Column column, std::vector<std::uint32_t>& to) {
      to.push_back(static_cast<std::uint32_t>(columns_.size()));
      columns_.push_back(column);
    };
    const DesignFeature& own = design_.features[f];
    for (std::size_t c = own.first; c < own.last; ++c) add({c, std::nullopt}, feature.own);
    feature.plain = feature.own;
    if (!ranks_[f] || ranks_[f]->polynomials() == 0) {
      feature.tested = feature.plain;
      continue;
    }
    for (std::size_t k = 0; k < ranks_[f]->polynomials(); ++k) {
      add({own.first, k}, feature.tested);
    }
    if (!curves) continue;
    if (ranked) feature.plain = {feature.tested.front()};
    feature.curves.assign(feature.tested.begin() + 1, feature.tested.end());
  }
}

double SeenColumns::peak(std::size_t feature) const {
  if (ranks_[feature]) return ranks_[feature]->peak();
  double largest = 0;
  const DesignFeature& own = design_.features[feature];
  for (std::size_t c = own.first; c < own.last; ++c) {
    const DesignColumn& column = design_.columns[c];
    // Two values, of mean 0 and deviation 1: the squares are the odds of one and of the other.
    const double square =
        std::pow((column.level ? -column.mean : column.low - column.mean) / column.deviation, 2);
    largest = std::max({largest, square, 1 / square});
  }
  return largest;
}

void SeenColumns::merge(const std::vector<std::size_t>& features) {
  SeenFeature all;
  for (const std::size_t f : features) {
    append(all.own, features_[f].own);
    append(all.plain, features_[f].plain);
    append(all.curves, features_[f].curves);
    append(all.tested, features_[f].tested);
    features_[f] = {};
  }
  features_[features.front()] = std::move(all);
}

void SeenColumns::write(const Block& block, const std::vector<std::uint32_t>& columns,
                        double* out) const {
  std::vector<double> ranks(block.rows);
  std::optional<std::size_t> ranked;  // the feature they are of
  for (const std::uint32_t c : columns) {
    const Column& column = columns_[c];
    const std::size_t feature = design_.columns[column.place].feature;
    if (!column.polynomial) {
      design_.standardised(block, 0, block.rows, column.place, out);
    } else {
      if (ranked != feature) ranks_[feature]->ranks(block.column(feature), ranks.data());
      ranked = feature;
      ranks_[feature]->polynomial(*column.polynomial, ranks, out);
    }
    out += block.rows;
  }
}

void SeenColumns::save(std::ostream& out) const {
  save_design(out, design_);
  save_count(out, columns_.size());
  for (const Column& column : columns_) {
    save_value(out, static_cast<std::uint64_t>(column.place));
    save_flag(out, column.polynomial.has_value());
    save_value(out, static_cast<std::uint64_t>(column.polynomial.value_or(0)));
  }
  save_count(out, ranks_.size());
  for (const auto& ranks : ranks_) {
    save_flag(out, ranks.has_value());
    if (ranks) ranks->save(out);
  }
}

SeenColumns SeenColumns::load(std::istream& in) {
  SeenColumns seen;
  seen.design_ = load_design(in);
  load_each(in, [&] {
    std::uint64_t place = 0;
    std::uint64_t polynomial = 0;
    load_value(in, place);
    const bool of_ranks = load_flag(in);
    load_value(in, polynomial);
    seen.columns_.push_back(
        {place, of_ranks ? std::optional<std::size_t>(polynomial) : std::nullopt});
  });
  load_each(in, [&] {
    auto& ranks = seen.ranks_.emplace_back();
    if (load_flag(in)) ranks = RankFunctions::load(in);
  });
  return seen;
}

}  // namespace fsieve::data
