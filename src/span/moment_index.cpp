#include "span/moment_index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace fsieve::inline span {
namespace {

// C(n, k), of any size.
double combinations(std::size_t n, std::size_t k) {
  double product = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    product *= static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return product;
}

// Design columns in the order in which parities bring them.
struct Arrivals {
  explicit Arrivals(const std::vector<Parity>& parities) {
    for (const Parity& parity : parities) add(parity);
  }

  void add(const Parity& parity) {
    for (const std::uint32_t column : parity.columns()) {
      if (column >= symbols.size()) symbols.resize(column + 1);
      if (symbols[column] != 0) continue;
      columns.push_back(column);
      symbols[column] = static_cast<std::uint32_t>(columns.size());
    }
    depth = std::max(depth, parity.size());
  }

  // Has the parity a column that has not come?
  [[nodiscard]] bool lack(const Parity& parity) const {
    return std::any_of(parity.columns().begin(), parity.columns().end(), [&](std::uint32_t column) {
      return column >= symbols.size() || symbols[column] == 0;
    });
  }

  std::vector<std::size_t> columns;
  std::vector<std::uint32_t> symbols;  // of each design column; 0: it has not come
  std::size_t depth = 0;
};

}  // namespace

std::optional<MomentIndex> MomentIndex::where_it_pays(const std::vector<Parity>& old_parities,
                                                      const std::vector<Parity>& new_parities,
                                                      double pairs) {
  constexpr double times_as_many = 1.5;  // a moment is also to be found again, for every pair
  const Arrivals before(old_parities);
  Arrivals all = before;
  for (const Parity& parity : new_parities) {
    all.add(parity);
    if (!before.lack(parity)) return std::nullopt;
  }
  const std::size_t size = 2 * all.depth;
  const double moments = combinations(all.columns.size() + size, size) -
                         combinations(before.columns.size() + size, size);
  if (times_as_many * moments > pairs) return std::nullopt;
  return MomentIndex(old_parities, new_parities);
}

MomentIndex::MomentIndex(const std::vector<Parity>& old_parities,
                         const std::vector<Parity>& new_parities) {
  Arrivals arrivals(old_parities);
  old_columns_ = arrivals.columns.size();
  for (const Parity& parity : new_parities) arrivals.add(parity);
  columns_ = std::move(arrivals.columns);
  symbols_ = std::move(arrivals.symbols);
  depth_ = arrivals.depth;
  // Sequences of n falling symbols of which the first is less than s.
  const auto sequences = [](std::size_t n, std::size_t s) {
    return s == 0 ? 0 : static_cast<std::size_t>(std::llround(combinations(s - 1 + n, n)));
  };
  const std::size_t size = 2 * depth_;
  const std::size_t symbols = columns_.size() + 1;
  weights_.resize(size * symbols);
  for (std::size_t place = 0; place < size; ++place) {
    for (std::size_t s = 0; s < symbols; ++s) {
      weights_[place * symbols + s] = sequences(size - place, s);
    }
  }
  first_ = sequences(size, old_columns_ + 1);
  count_ = sequences(size, symbols) - first_;
}

MomentIndex::Symbols MomentIndex::symbols_of(const Parity& parity) const {
  Symbols symbols;
  for (const std::uint32_t column : parity.columns()) symbols.at[symbols.size++] = symbols_[column];
  std::sort(symbols.at.begin(), symbols.at.end(), std::greater<>());
  return symbols;
}

MomentRow::MomentRow(const MomentIndex& index, const Parity& parity)
    : index_(index), own_(index.symbols_of(parity)), before_(index.columns().size() + 1) {
  for (std::size_t k = 0; k < own_.size; ++k) {
    for (std::size_t s = 0; s < own_.at[k]; ++s) ++before_[s];
  }
  merge();
}

std::size_t MomentRow::number(const MomentIndex::Symbols& other) {
  const std::size_t prefix = other.size - (other.size == 0 ? 0 : 1);
  if (prefix != prefix_.size ||
      !std::equal(other.at.begin(), other.at.begin() + prefix, prefix_.at.begin())) {
    prefix_ = {other.at, prefix};
    merge();
  }
  const std::size_t last = other.at[prefix];
  const std::size_t place = prefix + before_[last];
  return sums_[place] + index_.weight(place, last);
}

void MomentRow::merge() {
  std::array<std::uint32_t, std::size_t{2} * max_depth> merged{};
  const auto* const own = own_.at.data();
  const auto* const prefix = prefix_.at.data();
  const auto end = std::merge(own, own + own_.size, prefix, prefix + prefix_.size, merged.begin(),
                              std::greater<>());
  const auto size = static_cast<std::size_t>(end - merged.begin());
  // One by one from behind the place of the last symbol to before it.
  std::size_t sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += index_.weight(k, merged[k]);
  sums_[size] = sum - index_.first();
  for (std::size_t k = size; k-- > 0;) {
    sum += index_.weight(k + 1, merged[k]) - index_.weight(k, merged[k]);
    sums_[k] = sum - index_.first();
  }
}

}  // namespace fsieve::span
