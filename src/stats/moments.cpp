#include "stats/moments.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/binary.h"
#include "base/parallel.h"
#include "fsieve/error.h"

namespace fsieve::inline stats {

void NumericMoments::note(double value) {
  for (int i = 0; i < std::min(distinct, 2); ++i) {
    if (values[i] == value) return;
  }
  if (distinct < 2) values[distinct] = value;
  distinct = std::min(distinct + 1, 3);
}

Moments::Moments(const Schema& schema, std::vector<std::size_t> positions)
    : positions_(std::move(positions)), numeric_(schema.columns()), counts_(schema.columns()) {
  const auto levels = [&](std::size_t j, const Column& column) {
    if (column.kind == ColumnKind::categorical) counts_[j].assign(column.levels.size(), 0);
  };
  for (std::size_t j = 0; j < schema.features.size(); ++j) levels(j, schema.features[j]);
  if (schema.label) levels(schema.features.size(), *schema.label);
}

namespace {

// The values of a column, up to three: its first, the first that is another, and any other. Most
// columns have three in their first rows; those of one or two are compared many at a time.
void note_values(std::span<const double> column, NumericMoments& m) {
  constexpr std::size_t at_once = 512;
  for (std::size_t begin = 0; begin < column.size() && m.distinct < 3; begin += at_once) {
    const auto some = column.subspan(begin, std::min(at_once, column.size() - begin));
    if (begin > 0) {
      const double first = m.values[0];
      const double second = m.values[m.distinct - 1];
      int others = 0;
      for (const double x : some)
        others |= static_cast<int>(x != first) & static_cast<int>(x != second);
      if (others == 0) continue;
    }
    for (std::size_t i = 0; i < some.size() && m.distinct < 3; ++i) m.note(some[i]);
  }
}

// Columns that are summed side by side: each sum waits for its last addend, so four take little
// more time than one.
constexpr std::size_t abreast = 4;

// Two passes over columns that are in cache: the means, then the squares around them.
void find_moments(const std::array<std::span<const double>, abreast>& columns,
                  const std::array<NumericMoments*, abreast>& moments) {
  const std::size_t rows = columns[0].size();
  std::array<const double*, abreast> x{};
  std::array<double, abreast> origin{};
  for (std::size_t k = 0; k < abreast; ++k) {
    x[k] = columns[k].data();
    // Counted from the first value: the mean of values far from zero keeps its digits.
    origin[k] = rows == 0 ? 0 : x[k][0];
  }
  std::array<double, abreast> sum{};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < abreast; ++k) sum[k] += x[k][i] - origin[k];
  }
  const NumericMoments none;
  std::array<double, abreast> mean{};
  std::array<double, abreast> squares{};
  std::array<double, abreast> low{};
  std::array<double, abreast> high{};
  for (std::size_t k = 0; k < abreast; ++k) {
    mean[k] = origin[k] + sum[k] / static_cast<double>(rows);
    low[k] = none.low;
    high[k] = none.high;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < abreast; ++k) {
      squares[k] += (x[k][i] - mean[k]) * (x[k][i] - mean[k]);
      low[k] = std::min(low[k], x[k][i]);
      high[k] = std::max(high[k], x[k][i]);
    }
  }
  for (std::size_t k = 0; k < abreast; ++k) {
    NumericMoments& m = *moments[k] = none;
    m.mean = mean[k];
    m.squares = squares[k];
    m.low = low[k];
    m.high = high[k];
    note_values(columns[k], m);
  }
}

// The same with weights: a row of weight 0 is not seen.
NumericMoments moments_of(std::span<const double> column, std::span<const double> weights,
                          double total) {
  NumericMoments m;
  if (total == 0) return m;
  const double origin = column[0];
  double sum = 0;
  for (std::size_t i = 0; i < column.size(); ++i) sum += weights[i] * (column[i] - origin);
  m.mean = origin + sum / total;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (weights[i] == 0) continue;
    const double x = column[i];
    m.squares += weights[i] * ((x - m.mean) * (x - m.mean));
    m.low = std::min(m.low, x);
    m.high = std::max(m.high, x);
    if (m.distinct < 3) m.note(x);
  }
  return m;
}

}  // namespace

void Moments::add(const Block& block) {
  Moments part = *this;
  const auto weights = block.weights;
  const auto absent = std::count(weights.begin(), weights.end(), 0.0);
  part.rows_ = block.rows - static_cast<std::size_t>(absent);
  part.weight_ = weights.empty() ? static_cast<double>(block.rows)
                                 : std::accumulate(weights.begin(), weights.end(), 0.0);
  in_parallel((numeric_.size() + abreast - 1) / abreast, [&](std::size_t group) {
    std::array<std::size_t, abreast> plain{};
    std::size_t count = 0;
    for (std::size_t j = group * abreast; j < std::min((group + 1) * abreast, numeric_.size());
         ++j) {
      const auto values = column(block, j);
      if (!counts_[j].empty()) {
        std::fill(part.counts_[j].begin(), part.counts_[j].end(), 0.0);
        for (std::size_t i = 0; i < values.size(); ++i) {
          part.counts_[j][static_cast<std::size_t>(values[i])] += weights.empty() ? 1 : weights[i];
        }
      } else if (!weights.empty()) {
        part.numeric_[j] = moments_of(values, weights, part.weight_);
      } else {
        plain[count++] = j;
      }
    }
    if (count == 0) return;
    std::array<std::span<const double>, abreast> columns;
    std::array<NumericMoments*, abreast> moments{};
    for (std::size_t k = 0; k < abreast; ++k) {
      const std::size_t j = plain[std::min(k, count - 1)];
      columns[k] = column(block, j);
      moments[k] = &part.numeric_[j];
    }
    find_moments(columns, moments);
  });
  merge(part);
}

// Chan, Golub and LeVeque's update of means and squares.
void Moments::merge(const Moments& other) {
  if (other.rows_ == 0) return;
  const double n = weight_;
  const double m = other.weight_;
  for (std::size_t j = 0; j < numeric_.size(); ++j) {
    NumericMoments& a = numeric_[j];
    const NumericMoments& b = other.numeric_[j];
    const double delta = b.mean - a.mean;
    a.mean = rows_ == 0 ? b.mean : a.mean + delta * (m / (n + m));
    a.squares += b.squares + delta * delta * (n * m / (n + m));
    a.low = std::min(a.low, b.low);
    a.high = std::max(a.high, b.high);
    for (int i = 0; i < std::min(b.distinct, 2); ++i) a.note(b.values[i]);
    if (b.distinct == 3) a.distinct = 3;
    for (std::size_t level = 0; level < counts_[j].size(); ++level) {
      counts_[j][level] += other.counts_[j][level];
    }
  }
  rows_ += other.rows_;
  weight_ += other.weight_;
}

void Moments::save(std::ostream& out) const {
  save_value(out, rows_);
  save_value(out, weight_);
  save_count(out, numeric_.size());
  for (const NumericMoments& m : numeric_) {
    for (const double field : {m.mean, m.squares, m.low, m.high, m.values[0], m.values[1]}) {
      save_value(out, field);
    }
    save_value(out, static_cast<std::int64_t>(m.distinct));
  }
  for (const auto& counts : counts_) save_values(out, counts);
}

void Moments::load(std::istream& in) {
  load_value(in, rows_);
  load_value(in, weight_);
  load_count(in, numeric_.size());
  for (NumericMoments& m : numeric_) {
    for (double* const field : {&m.mean, &m.squares, &m.low, &m.high, &m.values[0], &m.values[1]}) {
      load_value(in, *field);
    }
    std::int64_t distinct = 0;
    load_value(in, distinct);
    if (distinct < 0 || distinct > 3) throw Error("a saved statistic is damaged");
    m.distinct = static_cast<int>(distinct);
  }
  for (auto& counts : counts_) load_values(in, counts);
}

std::size_t Moments::bytes() const {
  std::size_t total = numeric_.size() * sizeof(NumericMoments);
  for (const auto& counts : counts_) total += counts.size() * sizeof(double);
  return total;
}

}  // namespace fsieve::stats
