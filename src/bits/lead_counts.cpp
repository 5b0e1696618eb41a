#include "bits/lead_counts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/and_count.h"
#include "bits/mask_count.h"
#include "bits/sign_counts.h"

namespace fsieve::inline bits {
namespace {

constexpr std::size_t most_cells = 16;
// Rows of the prefix that are counted at a time: their words are in one line of the cache.
constexpr std::size_t height = record_words;

// Columns of one word; an odd number of lines of the cache, so that words spread over all of it.
std::size_t stride_of(std::size_t columns) { return (columns + 15) / 16 * 16 + 8; }

std::size_t lines_for(std::size_t features) {
  return (features + record_columns - 1) / record_columns;
}

double table_numbers(std::size_t features, std::size_t size) {
  double numbers = 0;
  for (std::size_t smaller = 0; smaller < size; ++smaller) numbers += choose(features, smaller);
  return numbers;
}

// The fewest instructions per subset: three for every word of a cell, whose last one is half empty,
// and one for every feature that a cell is added to.
std::size_t best_width(double rows) {
  std::size_t best = 1;
  double least = HUGE_VAL;
  for (const std::size_t width : {1U, 2U, 4U}) {
    const double cells = std::ldexp(1.0, static_cast<int>(width));
    const double words = (cells - 1) * (rows / cells / 64 + 0.5) / static_cast<double>(width);
    const double cost = 3 * words + cells / 2;
    if (cost >= least) continue;
    best = width;
    least = cost;
  }
  return best;
}

double rows_of(const ClassSegments& order) {
  return static_cast<double>(order.rows[0]) + static_cast<double>(order.rows[1]);
}

void make_room(std::size_t count, std::size_t stride, BitStore& words) {
  if (words.columns() < count) words = BitStore(count, stride);
}

}  // namespace

LeadCounts::LeadCounts(const ClassSegments& order, const BitStore& bits, std::size_t features)
    : order_(order),
      features_(features),
      lines_(lines_for(features)),
      width_(best_width(rows_of(order))) {
  record_rows(bits);
  tables_.push_back(
      {static_cast<std::int32_t>(order.rows[1]) - static_cast<std::int32_t>(order.rows[0])});
  count_pairs(bits);
}

bool LeadCounts::fits(const ClassSegments& order, std::size_t features, std::size_t size,
                      double bytes) {
  const double rows = rows_of(order);
  const double records = rows * static_cast<double>(lines_for(features) * record_words);
  const auto width = static_cast<double>(best_width(rows));
  const double sorted_once =
      (rows / 64 + std::exp2(width)) * static_cast<double>(stride_of(features));
  const double sorted =
      size == 3 ? sorted_once : sorted_once * std::ceil(static_cast<double>(features) / width);
  return size >= 3 && table_numbers(features, size) * sizeof(std::int32_t) <= bytes &&
         (records + sorted) * sizeof(std::uint64_t) <= bytes;
}

void LeadCounts::record_rows(const BitStore& bits) {
  const std::size_t rows = std::size_t{order_.rows[0]} + order_.rows[1];
  records_.resize(rows * record_size());
  std::vector<std::uint64_t> columns(64 * record_words);
  std::vector<std::uint64_t> turned(record_columns);
  for (std::size_t k = 0; k < 2; ++k) {
    std::uint64_t* const to = records_.data() + k * order_.rows[0] * record_size();
    const auto& [first, words] = order_.segments[k];
    for (std::size_t w = 0; w < words; ++w) {
      const std::size_t begin = w * 64;
      if (begin >= order_.rows[k]) break;
      const std::size_t count = std::min<std::size_t>(64, order_.rows[k] - begin);
      for (std::size_t line = 0; line < lines_; ++line) {
        std::fill(columns.begin(), columns.end(), 0);
        const std::size_t c0 = line * record_columns;
        for (std::size_t c = c0; c < std::min(features_, c0 + record_columns); ++c) {
          columns[c - c0] = bits.column(c)[first + w];
        }
        turn_records(columns.data(), record_words, record_columns, turned.data());
        for (std::size_t i = 0; i < count; ++i) {
          std::copy_n(turned.data() + i * record_words, record_words,
                      to + (begin + i) * record_size() + line * record_words);
        }
      }
    }
  }
}

void LeadCounts::count_pairs(const BitStore& bits) {
  SignCounts counts(order_, bits, features_, 0);
  const PrefixCounts singles = counts.singles();
  std::vector<std::int32_t> single(features_ + vector_slack);
  const auto lead = [](std::uint32_t second, std::uint32_t first) {
    return static_cast<std::int32_t>(second) - static_cast<std::int32_t>(first);
  };
  for (std::size_t c = 0; c < features_; ++c)
    single[c] = lead(singles.with[1][c], singles.with[0][c]);
  std::vector<std::int32_t> pairs(choose_exactly(features_, 2) + vector_slack);
  NoProgress quiet;
  SharedProgress unseen(quiet, "", 0);
  counts.for_each_tile(2, unseen, [&](SignCounts::CountedTile& counted) {
    const SubsetTile& tile = counted.subsets();
    for (std::size_t b = tile.b0; b < tile.b1; ++b) {
      const PrefixCounts with_b = counted.with_prefix(b);
      std::int32_t* const to = pairs.data() + b * (b - 1) / 2 + tile.c0;
      for (std::size_t c = 0; c < with_b.count; ++c)
        to[c] = lead(with_b.with[3][c], with_b.with[1][c]);
    }
  });
  tables_.push_back(std::move(single));
  tables_.push_back(std::move(pairs));
}

void LeadCounts::prepare(std::size_t size) {
  if (size > 3 && sorted_.empty()) {
    sorted_.resize((features_ + width_ - 1) / width_);
    in_parallel(sorted_.size(),
                [&](std::size_t k) { sort_rows(k * width_, scratch_.local(), sorted_[k]); });
  }
  while (tables_.size() < size) {
    const std::size_t smaller = tables_.size();
    const std::size_t subsets = choose_exactly(features_, smaller);
    std::vector<std::int32_t> table(subsets + vector_slack);
    BundleWalk walk(features_, smaller, width_, {0, subsets});
    const std::vector<SubsetBundle> bundles = walk.next(subsets);
    in_parallel(bundles.size(), [&](std::size_t k) {
      visit(bundles[k], [&](const PrefixLeads& leads, std::span<std::size_t> features) {
        features[0] = 0;
        std::copy_n(leads.with[(std::size_t{1} << leads.bits) - 1], leads.count,
                    table.data() + subset_number(features));
      });
    });
    tables_.push_back(std::move(table));
  }
}

std::int32_t LeadCounts::second_class(const SortedRows& rows, std::size_t feature) {
  std::array<std::uint32_t, 2> counts{};
  for (std::size_t cell = 1; cell + 1 < rows.first.size(); ++cell) {
    if ((cell >> feature & 1U) == 0) continue;
    const std::uint64_t* labels = rows.labels.data() + rows.first[cell];
    add_mask_counts({&labels, 1}, rows.first[cell + 1] - rows.first[cell], counts.data());
  }
  return static_cast<std::int32_t>(counts[1]);
}

void LeadCounts::visit(const SubsetBundle& bundle, const Body& body) {
  Scratch& s = scratch_.local();
  if (bundle.further.empty()) {
    sort_rows(bundle.q0 / width_ * width_, s, s.rows);
  } else {
    take_rows_with(bundle.further, bundle.q1, sorted_[bundle.q0 / width_], s.rows);
  }
  visit_rows(bundle, s.rows, s, body);
}

void LeadCounts::sort_rows(std::size_t first_feature, Scratch& s, SortedRows& to) const {
  const RecordRows all{records_.data(), record_size(), rows()};
  const std::size_t cells = std::size_t{1} << width_;
  s.cell_of_row.resize(all.rows);
  cells_of_rows(all, first_feature, width_, s.cell_of_row.data());
  std::array<std::size_t, most_cells> rows_in{};
  const auto count = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++rows_in[s.cell_of_row[i]];
  };
  count(0, order_.rows[0]);
  const std::array<std::size_t, most_cells> first_class = rows_in;
  count(order_.rows[0], all.rows);

  to.first.assign(cells + 1, 0);
  to.labels.clear();
  for (std::size_t cell = 1; cell < cells; ++cell) {
    for (std::size_t begin = 0; begin < rows_in[cell]; begin += 64) {
      const auto below = [&](std::size_t row) {
        const std::size_t bits = std::clamp(row, begin, begin + 64) - begin;
        return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      };
      to.labels.push_back(below(rows_in[cell]) & ~below(first_class[cell]));
    }
    to.first[cell + 1] = static_cast<std::uint32_t>(to.labels.size());
  }
  make_room(to.labels.size(), stride_of(features_), to.words);
  put_in_cells(all, s.cell_of_row.data(), to.first.data(), cells, features_, to.words.column(0),
               stride_of(features_));
}

// Bits of the other rows are cleared.
void LeadCounts::take_rows_with(std::span<const std::size_t> further, std::size_t columns,
                                const SortedRows& from, SortedRows& to) const {
  const std::size_t stride = stride_of(features_);
  to.first = from.first;
  to.labels = from.labels;
  make_room(to.labels.size(), stride, to.words);
  for (std::size_t w = 0; w < to.labels.size(); ++w) {
    const std::uint64_t* word = from.words.column(0) + w * stride;
    std::uint64_t mask = ~std::uint64_t{0};
    for (const std::size_t z : further) mask &= word[z];
    to.labels[w] &= mask;
    mask_words(word, mask, columns, to.words.column(0) + w * stride);
  }
}

void LeadCounts::visit_rows(const SubsetBundle& bundle, const SortedRows& sorted, Scratch& s,
                            const Body& body) const {
  const LeadCells cells{width_, sorted.words.column(0), stride_of(features_), sorted.labels.data(),
                        sorted.first.data()};
  const std::size_t aligned = bundle.q0 / width_ * width_;
  const std::size_t bits = bundle.further.size() + 2;
  const std::size_t masks = std::size_t{1} << (bits - 1);
  // What the features have in common with the further ones, and each with b and with c.
  struct OfFeature {
    std::vector<OuterNumbers> outer;
    std::int32_t second_class = 0;  // rows of it that have q and the further ones
    const std::int32_t* with_c = nullptr;
  };
  std::vector<OfFeature> of(width_);
  std::vector<const std::int32_t*> with_q(width_);
  std::vector<std::size_t> features(bits + 1);
  std::copy(bundle.further.begin(), bundle.further.end(), features.begin() + 3);
  for (std::size_t q = bundle.q0; q < bundle.q1; ++q) {
    OfFeature& feature = of[q - aligned];
    features[2] = q;
    feature.outer = number_outer(std::span(features).subspan(2));
    const auto& [size, after] = feature.outer.back();
    feature.second_class = second_class(sorted, q - aligned);
    feature.with_c = tables_[size + 1].data() + after[1];
  }
  for (std::size_t k = 0; k < width_; ++k) {
    with_q[k] = k < bundle.q0 - aligned || k >= bundle.q1 - aligned ? of[bundle.q0 - aligned].with_c
                                                                    : of[k].with_c;
  }
  std::vector<const std::int32_t*> with(2 * masks);
  std::vector<std::int32_t> without(2 * masks);
  s.with_b.resize(width_ * height);
  s.leads.resize(width_ * height * cells.stride);
  for (std::size_t b0 = 0; b0 + 1 < bundle.q1; b0 += height) {
    stop_if_asked();
    const std::size_t b1 = std::min(b0 + height, bundle.q1 - 1);
    const std::size_t rows = b1 - b0;
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t b = b0; b < b1; ++b)
        s.with_b[k * rows + b - b0] = with_q[k][b] - of[k].second_class;
    }
    count_leads(cells, {b0, b1, with_q.data(), s.with_b.data(), s.leads.data(), cells.stride});
    for (std::size_t q = bundle.q0; q < bundle.q1; ++q) {
      const std::vector<OuterNumbers>& outer = of[q - aligned].outer;
      features[2] = q;
      for (std::size_t b = std::max<std::size_t>(b0, 1); b < std::min(b1, q); ++b) {
        for (std::size_t mask = 0; mask < masks; ++mask) {
          const auto& [size, after] = outer[mask];
          with[2 * mask] = tables_[size + 1].data() + after[1];
          without[2 * mask] = tables_[size][after[0]];
          without[2 * mask + 1] = tables_[size + 1][after[1] + b];
          if (mask + 1 < masks)
            with[2 * mask + 1] = tables_[size + 2].data() + after[2] + b * (b - 1) / 2;
        }
        with.back() = s.leads.data() + ((q - aligned) * rows + b - b0) * cells.stride;
        features[1] = b;
        body({static_cast<int>(bits), with.data(), without.data(), b}, features);
      }
    }
  }
}

}  // namespace fsieve::bits
