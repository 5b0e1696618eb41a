#include "bits/lead_counts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/mask_count.h"
#include "bits/promising.h"
#include "bits/sign_counts.h"

namespace fsieve::inline bits {
namespace {

constexpr std::size_t most_width = 4;
constexpr std::size_t most_cells = std::size_t{1} << most_width;
// Rows of the prefix that are counted at a time: their words are in one line of the cache.
constexpr std::size_t height = record_words;

std::size_t blocks_of(std::size_t columns) { return (columns + record_words - 1) / record_words; }

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

}  // namespace

LeadCounts::LeadCounts(const ClassSegments& order, const BitStore& bits, std::size_t features)
    : order_(order),
      bits_(bits),
      features_(features),
      lines_(lines_for(features)),
      width_(best_width(rows_of(order))) {
  record_rows();
  tables_.push_back(
      {static_cast<std::int32_t>(order.rows[1]) - static_cast<std::int32_t>(order.rows[0])});
  count_pairs();
}

bool LeadCounts::fits(const ClassSegments& order, std::size_t features, std::size_t size,
                      double bytes) {
  const double rows = rows_of(order);
  const double records = rows * static_cast<double>(lines_for(features) * record_words);
  const auto width = static_cast<double>(best_width(rows));
  const double sorted_once =
      (rows / 64 + std::exp2(width)) * static_cast<double>(blocks_of(features) * record_words);
  const double sorted =
      size == 3 ? sorted_once : sorted_once * std::ceil(static_cast<double>(features) / width);
  return size >= 3 && table_numbers(features, size) * sizeof(std::int32_t) <= bytes &&
         (records + sorted) * sizeof(std::uint64_t) <= bytes;
}

std::size_t LeadCounts::block_distance() const {
  return (record_count() / 64 + (std::size_t{1} << width_)) * record_words;
}

ColumnBlocks LeadCounts::make_room(SortedRows& rows) const {
  if (!rows.blocks.ready()) rows.blocks = BitStore(blocks_of(features_), block_distance());
  return {rows.blocks.column(0), block_distance()};
}

void LeadCounts::record_rows() {
  records_.resize(record_count() * record_size());
  std::vector<std::uint64_t> columns(record_columns);
  std::vector<std::uint64_t> turned(record_columns);
  for (std::size_t k = 0; k < 2; ++k) {
    std::uint64_t* to = records_.data() + k * room_for_class(0) * record_size();
    for (std::size_t w = 0; w < room_for_class(k) / 64; ++w, to += 64 * record_size()) {
      for (std::size_t line = 0; line < lines_; ++line) {
        std::fill(columns.begin(), columns.end(), 0);
        const std::size_t c0 = line * record_columns;
        for (std::size_t c = c0; c < std::min(features_, c0 + record_columns); ++c) {
          columns[c - c0] = bits_.column(c)[order_.segments[k].first + w];
        }
        turn_records(columns.data(), record_words, record_columns, turned.data(), record_words);
        for (std::size_t i = 0; i < 64; ++i) {
          std::copy_n(turned.data() + i * record_words, record_words,
                      to + i * record_size() + line * record_words);
        }
      }
    }
  }
}

void LeadCounts::count_pairs() {
  SignCounts counts(order_, bits_, features_, 0);
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
    in_parallel(sorted_.size(), [&](std::size_t k) {
      sort_rows(k * width_, features_, scratch_.local(), sorted_[k]);
    });
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
  std::vector<const std::int32_t*> with;
  std::vector<std::int32_t> without;
  const auto each = [&](const PrefixLeadBlock& leads, std::span<std::size_t> features) {
    const std::size_t half = std::size_t{1} << (leads.bits - 1);
    with.resize(2 * half);
    without.resize(2 * half);
    for (std::size_t b = leads.b0; b < leads.b1; ++b) {
      for (std::size_t s = 0; s < half; ++s) {
        const std::size_t at = (b - leads.b0) * half + s;
        with[2 * s] = leads.with[s];
        with[2 * s + 1] = leads.with_b[at];
        without[2 * s] = leads.without[s];
        without[2 * s + 1] = leads.without_b[at];
      }
      features[1] = b;
      body({leads.bits, with.data(), without.data(), b}, features);
    }
  };
  visit_blocks(bundle, each);
}

void LeadCounts::name_promising(const SubsetBundle& bundle, const Least& least,
                                const Found& found) {
  std::vector<PromisingPair> pairs(features_ * height);
  visit_blocks(bundle, [&](const PrefixLeadBlock& leads, std::span<std::size_t> subset) {
    const std::size_t count = find_promising(leads, least(), pairs.data());
    for (std::size_t f = 0; f < count; ++f) {
      subset[0] = pairs[f].c;
      subset[1] = pairs[f].b;
      found(subset);
    }
  });
}

void LeadCounts::put_in_order(const SubsetBundle& bundle, Scratch& s) const {
  if (bundle.further.empty()) {
    sort_rows(bundle.q0 / width_ * width_, bundle.q1, s, s.rows);
  } else {
    take_rows_with(bundle.further, bundle.q1, sorted_[bundle.q0 / width_], s);
  }
}

void LeadCounts::sort_rows(std::size_t first_feature, std::size_t columns, Scratch& s,
                           SortedRows& to) const {
  const std::size_t cells = std::size_t{1} << width_;
  const std::size_t rows = record_count();
  s.cell_of_row.resize(rows);
  std::array<std::array<std::size_t, most_cells>, 2> rows_in{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t width = std::min(width_, features_ - first_feature);
    std::array<const std::uint64_t*, most_width> sorted_by{};
    for (std::size_t f = 0; f < width; ++f) {
      sorted_by[f] = bits_.column(first_feature + f) + order_.segments[k].first;
    }
    std::uint8_t* const cell = s.cell_of_row.data() + k * room_for_class(0);
    cells_of_rows(sorted_by.data(), width, room_for_class(k) / 64, cell);
    count_cells(cell, room_for_class(k), cells, rows_in[k].data());
  }
  // The rows of cell 0 come last, and are left out.
  std::array<std::size_t, most_cells> next{};
  std::size_t begin = 0;
  to.first.assign(cells + 1, 0);
  to.labels.clear();
  for (std::size_t cell = 1; cell < cells; ++cell) {
    const std::size_t first_class = rows_in[0][cell];
    const std::size_t count = first_class + rows_in[1][cell];
    for (std::size_t word = 0; word < count; word += 64) {
      const auto below = [&](std::size_t row) {
        const std::size_t bits = std::clamp(row, word, word + 64) - word;
        return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      };
      to.labels.push_back(below(count) & ~below(first_class));
    }
    to.first[cell + 1] = static_cast<std::uint32_t>(to.labels.size());
    next[cell] = begin;
    begin += count;
  }
  next[0] = begin;
  s.row_numbers.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    s.row_numbers[next[s.cell_of_row[i]]++] = static_cast<std::uint32_t>(i);
  }
  const ColumnBlocks all = make_room(to);
  for (std::size_t cell = 1; cell < cells; ++cell) {
    const std::size_t count = rows_in[0][cell] + rows_in[1][cell];
    put_rows({records_.data(), record_size()}, s.row_numbers.data() + next[cell] - count, count,
             columns, {all.words + to.first[cell] * record_words, all.distance});
  }
}

// Bits of the other rows are cleared.
void LeadCounts::take_rows_with(std::span<const std::size_t> further, std::size_t columns,
                                const SortedRows& from, Scratch& s) const {
  SortedRows& to = s.rows;
  to.first = from.first;
  to.labels = from.labels;
  s.masks.assign(to.labels.size(), ~std::uint64_t{0});
  for (std::size_t w = 0; w < to.labels.size(); ++w) {
    for (const std::size_t z : further) s.masks[w] &= from.word(w, z);
    to.labels[w] &= s.masks[w];
  }
  const ColumnBlocks blocks = make_room(to);
  mask_columns(from.blocks.column(0), s.masks.data(), s.masks.size(), columns, blocks);
}

template <class Visit>
void LeadCounts::visit_blocks(const SubsetBundle& bundle, const Visit& visit) {
  Scratch& s = scratch_.local();
  put_in_order(bundle, s);
  const SortedRows& sorted = s.rows;
  const LeadCells cells{width_, make_room(s.rows), sorted.labels.data(), sorted.first.data()};
  const std::size_t lead_width = blocks_of(features_) * record_words;
  const std::size_t aligned = bundle.q0 / width_ * width_;
  const std::size_t bits = bundle.further.size() + 2;
  const std::size_t half = std::size_t{1} << (bits - 1);
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
  std::vector<const std::int32_t*> with(half);
  std::vector<std::int32_t> without(half);
  std::vector<const std::int32_t*> with_b(height * half);
  std::vector<std::int32_t> without_b(height * half);
  s.with_b.resize(width_ * height);
  s.leads.resize(width_ * height * lead_width + vector_slack);
  for (std::size_t b0 = 0; b0 + 1 < bundle.q1; b0 += height) {
    stop_if_asked();
    const std::size_t b1 = std::min(b0 + height, bundle.q1 - 1);
    const std::size_t rows = b1 - b0;
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t b = b0; b < b1; ++b)
        s.with_b[k * rows + b - b0] = with_q[k][b] - of[k].second_class;
    }
    count_leads(cells, {b0, b1, with_q.data(), s.with_b.data(), s.leads.data(), lead_width});
    for (std::size_t q = bundle.q0; q < bundle.q1; ++q) {
      const std::vector<OuterNumbers>& outer = of[q - aligned].outer;
      const std::size_t first = std::max<std::size_t>(b0, 1);
      const std::size_t last = std::min(b1, q);
      for (std::size_t mask = 0; mask < half; ++mask) {
        const auto& [size, after] = outer[mask];
        with[mask] = tables_[size + 1].data() + after[1];
        without[mask] = tables_[size][after[0]];
        for (std::size_t b = first; b < last; ++b) {
          const std::size_t at = (b - first) * half + mask;
          without_b[at] = with[mask][b];
          with_b[at] = mask + 1 < half
                           ? tables_[size + 2].data() + after[2] + b * (b - 1) / 2
                           : s.leads.data() + ((q - aligned) * rows + b - b0) * lead_width;
        }
      }
      features[2] = q;
      if (first < last) {
        visit(PrefixLeadBlock{static_cast<int>(bits), first, last, with.data(), without.data(),
                              with_b.data(), without_b.data()},
              std::span(features));
      }
    }
  }
}

}  // namespace fsieve::bits
