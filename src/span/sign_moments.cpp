#include "span/sign_moments.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/binary.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "basis/parity_binary.h"
#include "bits/count_pairs.h"
#include "data/design_binary.h"
#include "data/sign_bits.h"
#include "linalg/tiles.h"

namespace fsieve::inline span {
namespace {

// A subset is a mask of one word, and the table of all products must stay small beside the data.
constexpr std::size_t most_columns = 64;
constexpr double most_products = 1 << 22;

std::size_t depth_of(const std::vector<Parity>& parities) {
  std::size_t depth = 0;
  for (const Parity& parity : parities) depth = std::max(depth, parity.size());
  return depth;
}

// Calls body(mask, elements) for all subsets of {from, …, columns − 1} of at most `size` members.
template <class Body>
void for_each_subset(std::size_t from, std::size_t columns, std::size_t size,
                     std::vector<std::size_t>& chosen, const Body& body) {
  body(chosen);
  if (chosen.size() == size) return;
  for (std::size_t j = from; j < columns; ++j) {
    chosen.push_back(j);
    for_each_subset(j + 1, columns, size, chosen, body);
    chosen.pop_back();
  }
}

}  // namespace

SubsetIndex::SubsetIndex(std::size_t columns, std::size_t size)
    : columns_(columns), size_(size), choose_((columns + 1) * (size + 1)), offset_(size + 2) {
  for (std::size_t n = 0; n <= columns; ++n) {
    choose_[n * (size + 1)] = 1;
    for (std::size_t k = 1; k <= std::min(n, size); ++k) {
      choose_[n * (size + 1) + k] =
          choose_[(n - 1) * (size + 1) + k - 1] + choose_[(n - 1) * (size + 1) + k];
    }
  }
  for (std::size_t k = 0; k <= size; ++k) offset_[k + 1] = offset_[k] + choose(columns, k);
}

bool can_count(const Design& design, const std::vector<Parity>& parities,
               const std::vector<std::size_t>& singles) {
  const std::vector<std::size_t> columns = columns_of(parities);
  const auto two_valued = [&](std::size_t c) { return design.columns[c].two_valued; };
  return columns.size() <= most_columns &&
         parity_count(columns.size(), 2 * static_cast<int>(depth_of(parities))) <= most_products &&
         std::all_of(columns.begin(), columns.end(), two_valued) &&
         std::all_of(singles.begin(), singles.end(), two_valued);
}

SignMoments::SignMoments(const Design& design, const std::vector<Parity>& parities,
                         const std::vector<std::size_t>& singles)
    : design_(&design),
      columns_(columns_of(parities)),
      places_(design.columns.size()),
      singles_(singles),
      depth_(depth_of(parities)),
      half_(columns_.size(), depth_),
      full_(columns_.size(), 2 * depth_),
      half_mask_(half_.count()),
      within_(full_.count()),
      across_(singles.size() * half_.count()) {
  for (std::size_t k = 0; k < columns_.size(); ++k) places_[columns_[k]] = k;
  std::vector<std::size_t> chosen;
  for_each_subset(0, columns_.size(), depth_, chosen, [&](const std::vector<std::size_t>& subset) {
    std::uint64_t mask = 0;
    for (const std::size_t j : subset) mask |= std::uint64_t{1} << j;
    half_mask_[half_(mask)] = mask;
  });
}

void SignMoments::add(const Block& block) {
  const std::size_t words = words_for(block.rows);
  std::vector<std::uint64_t> storage((half_.count() + singles_.size()) * words);
  BitColumns subset_bits(half_.count());
  BitColumns single_bits(singles_.size());
  // Subsets are numbered by size, so each finds the smaller one it extends already done.
  for (std::size_t s = 0; s < half_.count(); ++s) {
    std::uint64_t* bits = storage.data() + s * words;
    subset_bits[s] = bits;
    const std::uint64_t mask = half_mask_[s];
    if (mask == 0) continue;
    const auto top = static_cast<std::size_t>(63 - std::countl_zero(mask));
    const std::uint64_t rest = mask & ~(std::uint64_t{1} << top);
    if (rest == 0) {
      pack_signs(*design_, block, columns_[top], bits);
      continue;
    }
    const std::uint64_t* one = subset_bits[half_(mask ^ rest)];
    const std::uint64_t* other = subset_bits[half_(rest)];
    for (std::size_t w = 0; w < words; ++w) bits[w] = one[w] ^ other[w];
  }
  for (std::size_t k = 0; k < singles_.size(); ++k) {
    std::uint64_t* bits = storage.data() + (half_.count() + k) * words;
    pack_signs(*design_, block, singles_[k], bits);
    single_bits[k] = bits;
  }
  count_within(subset_bits, words);
  count_across(subset_bits, single_bits, words);
}

// A subset of more than `depth` columns is its lowest `depth` ones, A, and the rest, B, above them;
// its number is a sum of a part for A and a part for B.
void SignMoments::count_within(const BitColumns& subset_bits, std::size_t words) {
  if (columns_.empty()) return;
  struct Part {
    std::size_t number;
    const std::uint64_t* bits;
  };
  std::vector<std::vector<Part>> lows(columns_.size());   // A by its highest column
  std::vector<std::vector<Part>> highs(columns_.size());  // B by its lowest column
  const BitColumns all_rows{subset_bits[0]};
  std::vector<std::int64_t> own(half_.count());
  count_pairs(subset_bits, all_rows, words,
              [&](std::size_t i, std::size_t, std::int64_t count) { own[i] = count; });
  for (std::size_t s = 1; s < half_.count(); ++s) {
    const std::uint64_t mask = half_mask_[s];
    within_[full_(mask)] += own[s];
    const auto size = static_cast<std::size_t>(std::popcount(mask));
    if (size == depth_) {
      lows[63 - std::countl_zero(mask)].push_back(
          {full_(mask) - full_.offset(size), subset_bits[s]});
    }
    std::size_t rank = 0;
    std::size_t place = depth_;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      rank += full_.choose(static_cast<std::size_t>(std::countr_zero(rest)), ++place);
    }
    highs[std::countr_zero(mask)].push_back({full_.offset(place) + rank, subset_bits[s]});
  }
  BitColumns above_bits;
  std::vector<std::size_t> above_numbers;
  for (std::size_t top = columns_.size(); top-- > 0;) {
    BitColumns low_bits;
    for (const Part& low : lows[top]) low_bits.push_back(low.bits);
    if (!low_bits.empty() && !above_bits.empty()) {
      count_pairs(low_bits, above_bits, words,
                  [&](std::size_t i, std::size_t j, std::int64_t count) {
                    within_[lows[top][i].number + above_numbers[j]] += count;
                  });
    }
    for (const Part& high : highs[top]) {
      above_bits.push_back(high.bits);
      above_numbers.push_back(high.number);
    }
  }
}

void SignMoments::count_across(const BitColumns& subset_bits, const BitColumns& single_bits,
                               std::size_t words) {
  if (single_bits.empty()) return;
  count_pairs(single_bits, subset_bits, words,
              [&](std::size_t i, std::size_t j, std::int64_t count) {
                across_[i * half_.count() + j] += count;
              });
}

void SignMoments::merge(const SignMoments& other) {
  for (std::size_t i = 0; i < within_.size(); ++i) within_[i] += other.within_[i];
  for (std::size_t i = 0; i < across_.size(); ++i) across_[i] += other.across_[i];
}

void SignMoments::save(std::ostream& out) const {
  save_values(out, within_);
  save_values(out, across_);
}

void SignMoments::load(std::istream& in) {
  load_values(in, within_);
  load_values(in, across_);
}

namespace {

// Turns the means of products of ±1 columns, table[index(S)], into the means of products of the
// same columns standardised: for each column j, M[S] <- (M[S] − mean_j M[S without j]) / dev_j. The
// subsets S = L ∪ {j} ∪ H with the same H above j and as many below are contiguous.
void standardise(const SubsetIndex& index, const std::vector<double>& means,
                 const std::vector<double>& deviations, double* table) {
  const std::size_t size = index.size();
  for (std::size_t j = 0; j < index.columns(); ++j) {
    stop_if_asked();
    std::vector<std::size_t> above;
    for_each_subset(
        j + 1, index.columns(), size - 1, above, [&](const std::vector<std::size_t>& high) {
          for (std::size_t below = 0; below + 1 + high.size() <= size; ++below) {
            std::size_t with = index.offset(below + 1 + high.size()) + index.choose(j, below + 1);
            std::size_t without = index.offset(below + high.size());
            for (std::size_t k = 0; k < high.size(); ++k) {
              with += index.choose(high[k], below + k + 2);
              without += index.choose(high[k], below + k + 1);
            }
            const std::size_t count = index.choose(j, below);
            for (std::size_t r = 0; r < count; ++r) {
              table[with + r] = (table[with + r] - means[j] * table[without + r]) / deviations[j];
            }
          }
        });
  }
}

}  // namespace

std::uint64_t SignMoments::mask_of(const Parity& parity) const {
  std::uint64_t mask = 0;
  for (const std::uint32_t column : parity.columns()) mask |= std::uint64_t{1} << places_[column];
  return mask;
}

std::vector<double> SignMoments::standardised_within() const {
  std::vector<double> table(within_.size());
  for (std::size_t s = 0; s < table.size(); ++s) table[s] = sign_mean(within_[s], design_->rows);
  standardise(full_, means_of_columns(), deviations_of_columns(), table.data());
  return table;
}

std::vector<double> SignMoments::means_of_columns() const {
  std::vector<double> means;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    means.push_back(sign_mean(within_[full_(std::uint64_t{1} << j)], design_->rows));
  }
  return means;
}

std::vector<double> SignMoments::deviations_of_columns() const {
  std::vector<double> deviations;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    deviations.push_back(sign_deviation(within_[full_(std::uint64_t{1} << j)], design_->rows));
  }
  return deviations;
}

Buffer SignMoments::inner_products(const std::vector<Parity>& old_parities,
                                   const std::vector<Parity>& new_parities) const {
  const std::vector<double> within = standardised_within();
  const std::vector<double> means = means_of_columns();
  const std::vector<double> deviations = deviations_of_columns();
  std::vector<std::uint64_t> rows;
  rows.reserve(old_parities.size() + new_parities.size());
  for (const Parity& parity : old_parities) rows.push_back(mask_of(parity));
  for (const Parity& parity : new_parities) rows.push_back(mask_of(parity));
  const std::size_t old_count = old_parities.size();
  const std::size_t height = rows.size() + singles_.size();
  Buffer products(height * new_parities.size());

  // A standardised ±1 column has x² = 1 − (2 mean / deviation) x, so a common factor of two
  // parities gives the product without it, and a multiple of the product with it.
  std::vector<double> again(columns_.size());
  for (std::size_t j = 0; j < again.size(); ++j) again[j] = -2 * means[j] / deviations[j];
  const auto product = [&](std::uint64_t s, std::uint64_t t) {
    const std::uint64_t once = s ^ t;
    const std::uint64_t twice = s & t;
    double sum = within[full_(once)];
    for (std::uint64_t part = twice; part != 0; part = (part - 1) & twice) {
      double factor = 1;
      for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
        factor *= again[static_cast<std::size_t>(std::countr_zero(rest))];
      }
      sum += factor * within[full_(once | part)];
    }
    return sum;
  };
  in_parallel(new_parities.size(), [&](std::size_t q) {
    double* column = products.data() + q * height;
    const std::uint64_t mask = rows[old_count + q];
    for (std::size_t r = 0; r < old_count; ++r) column[r] = product(rows[r], mask);
    for (std::size_t r = old_count + q; r < rows.size(); ++r) column[r] = product(rows[r], mask);
  });

  in_parallel(singles_.size(), [&](std::size_t k) {
    const std::int64_t* counts = across_.data() + k * half_.count();
    std::vector<double> table(half_.count());
    for (std::size_t s = 0; s < table.size(); ++s) table[s] = sign_mean(counts[s], design_->rows);
    standardise(half_, means, deviations, table.data());
    const double mean = sign_mean(counts[0], design_->rows);
    const double deviation = sign_deviation(counts[0], design_->rows);
    for (std::size_t q = 0; q < new_parities.size(); ++q) {
      const std::uint64_t mask = rows[old_count + q];
      products.data()[rows.size() + k + q * height] =
          (table[half_(mask)] - mean * within[full_(mask)]) / deviation;
    }
  });
  return products;
}

// Which columns there are, and how deep the products are, is all that counts of the parities.
void SignMoments::save_question(std::ostream& out) const {
  save_design(out, *design_);
  std::vector<Parity> parities;
  for (const std::size_t column : columns_) parities.push_back(Parity().times(column));
  Parity deepest;
  for (std::size_t k = 0; k < depth_; ++k) deepest = deepest.times(columns_[k]);
  parities.push_back(deepest);
  save_parities(out, parities);
  save_columns(out, singles_);
}

SignMoments SignMoments::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  const std::vector<Parity> parities = load_parities(in);
  return {design, parities, load_columns(in)};
}

}  // namespace fsieve::span
