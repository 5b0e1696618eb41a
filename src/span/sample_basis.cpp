// The sample engine: keeps the orthonormal functions themselves, as columns over the rows, and
// takes them out of new parities by blocks (two passes of classical Gram-Schmidt). No digits are
// lost to squaring, and once the rank reaches the number of rows there is nothing left to do. With
// weights, the columns are those of the functions times √w.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "linalg/narrow.h"
#include "linalg/span_squares.h"
#include "linalg/tiles.h"
#include "source/whole_table.h"
#include "span/explain.h"
#include "span/group_basis.h"

namespace fsieve::inline span {
namespace {

using blas::Op;

// Columns that are projected together.
constexpr std::size_t batch_columns = 64;
// Features that are tested together.
constexpr std::size_t features_at_once = 128;
// In single precision, where a product with few functions is over soon.
constexpr std::size_t screened_at_once = 1024;
// What must be left of a squared norm for a difference of squares to tell it: twelve digits stay.
constexpr double least_left = 1e-4;

// Columns over the rows, with what was taken out of them so far.
struct Batch {
  std::size_t count = 0;
  std::vector<double> values;                    // rows x count
  std::vector<std::vector<double>> coordinates;  // of each column, on the functions taken out
};

class SampleBasis final : public GroupBasis {
 public:
  SampleBasis(const Source& source, const Design& design, GroupPlan plan, Progress& progress)
      : design_(design),
        plan_(std::move(plan)),
        progress_(progress),
        rows_(design.rows),
        root_(std::sqrt(design.weight)),
        whole_(whole_table(source)),
        roots_(source.weights()),
        redundant_(design.features.size()),
        functions_(design.rows, 1 / root_) {
    roots_.scale(functions_.data());
  }

  std::size_t walk(const std::vector<std::size_t>& order, std::size_t position,
                   Ledger& ledger) override;

  void test_rest(const std::vector<std::size_t>& order, std::size_t position,
                 Ledger& ledger) override;

  void explain(const std::vector<std::size_t>& features, Ledger& ledger) override {
    find_coordinates(features);
    std::vector<double> lower(rank() * rank());
    for (std::size_t i = 0; i < rank(); ++i) {
      for (std::size_t k = 0; k <= i; ++k) lower[i + k * rank()] = lower_[i][k];
    }
    explain_from_coordinates(
        design_, kept_, lower, features, ledger,
        [&](std::size_t column, std::size_t k) { return coordinates_.at(column)[k]; }, progress_);
  }

  [[nodiscard]] std::size_t members() const override { return members_; }
  [[nodiscard]] bool is_full() const { return plan_.is_full(members_, columns_); }
  [[nodiscard]] std::size_t rank() const override { return kept_.size(); }

 private:
  [[nodiscard]] double* column(Batch& batch, std::size_t k) const {
    return batch.values.data() + k * rows_;
  }

  [[nodiscard]] double norm(Batch& batch, std::size_t k) const {
    return std::sqrt(blas::dot(rows_, column(batch, k), column(batch, k))) / root_;
  }

  // A full space leaves nothing of any column: there is nothing to project.
  [[nodiscard]] bool full() const { return rank() >= design_.dimensions; }

  [[nodiscard]] bool can_grow(const Judge& judge) const {
    return judge.can_test(rank()) && !full();
  }

  // Coordinates of features that were tested in a full space, where none were needed.
  void find_coordinates(const std::vector<std::size_t>& features);

  [[nodiscard]] double largest_norm(Batch& singles, std::size_t k, std::size_t count) const;

  // What is left of those of these features that are wanted, from inner products alone: one matrix
  // product instead of four. None where so little is left that digits are lost.
  [[nodiscard]] std::vector<std::optional<double>> norms_left(
      std::span<const std::size_t> features, const std::vector<bool>& wanted) const;

  // Which of these features may be redundant, or explained better than by the groups before: by
  // what single precision says is left of them at least.
  [[nodiscard]] std::vector<bool> worth_testing(std::span<const std::size_t> features,
                                                const Ledger& ledger) const;

  // A design column, times the roots of the weights.
  void standardise(std::size_t c, double* out) const {
    if (plan_.columns) {
      std::copy_n(plan_.columns->column(c), rows_, out);
      return;
    }
    design_.standardised(whole_, 0, rows_, c, out);
    roots_.scale(out);
  }

  // The columns of the features in order[position..), up to a batch of them, projected.
  [[nodiscard]] Batch next_singles(const std::vector<std::size_t>& order, std::size_t position,
                                   bool even_if_full = false) const;

  // Takes functions [first, rank) out of columns [from, count) of a batch, `passes` times.
  void take_out(Batch& batch, std::size_t from, std::size_t first, int passes) const;

  // Orthonormalises column k of a batch against the functions from `first` on, and adds it unless
  // it is trivial.
  bool add(Batch& batch, std::size_t k, std::size_t first, const Parity& parity,
           const Judge& judge);

  // Adds the parities that a feature brings; its own columns are k, k + 1, … of the batch, which
  // was projected on the functions before `projected` twice.
  void add_feature(std::size_t feature, Batch& singles, std::size_t k, std::size_t projected,
                   const Judge& judge);

  const Design& design_;
  GroupPlan plan_;
  Progress& progress_;
  std::size_t rows_;
  double root_;
  Block whole_;
  RootWeights roots_;
  std::size_t members_ = 0;
  std::size_t columns_ = 0;  // of the members
  std::vector<bool> redundant_;
  std::vector<Parity> subsets_{Parity()};
  std::vector<Parity> kept_{Parity()};
  std::vector<std::vector<double>> lower_{{1.0}};  // row k: coordinates of kept parity k
  std::unordered_map<std::size_t, std::vector<double>> coordinates_;  // of columns at their turn
  std::vector<double> functions_;                                     // rows x rank, of unit length
};

Batch SampleBasis::next_singles(const std::vector<std::size_t>& order, std::size_t position,
                                bool even_if_full) const {
  Batch batch;
  std::vector<std::size_t> columns;
  for (; position < order.size(); ++position) {
    const DesignFeature& feature = design_.features[order[position]];
    if (!columns.empty() && columns.size() + feature.last - feature.first > batch_columns) break;
    for (std::size_t c = feature.first; c < feature.last; ++c) columns.push_back(c);
  }
  batch.count = columns.size();
  batch.coordinates.resize(columns.size());
  if (full() && !even_if_full) return batch;
  batch.values.resize(rows_ * columns.size());
  in_parallel(columns.size(),
              [&](std::size_t k) { standardise(columns[k], batch.values.data() + k * rows_); });
  take_out(batch, 0, 0, 2);
  return batch;
}

void SampleBasis::take_out(Batch& batch, std::size_t from, std::size_t first, int passes) const {
  const std::size_t functions = rank() - first;
  const std::size_t count = batch.count - from;
  if (functions == 0 || count == 0) return;
  const double* basis = functions_.data() + first * rows_;
  std::vector<double> products(functions * count);
  for (std::size_t k = from; k < batch.count; ++k) batch.coordinates[k].resize(rank(), 0.0);
  for (int pass = 0; pass < passes; ++pass) {
    blas::tiled_gemm(Op::transpose, Op::none, functions, count, rows_, 1.0, basis, rows_,
                     column(batch, from), rows_, 0.0, products.data(), functions);
    blas::tiled_gemm(Op::none, Op::none, rows_, count, functions, -1.0, basis, rows_,
                     products.data(), functions, 1.0, column(batch, from), rows_);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t f = 0; f < functions; ++f) {
        batch.coordinates[from + k][first + f] += products[f + k * functions] / root_;
      }
    }
  }
}

bool SampleBasis::add(Batch& batch, std::size_t k, std::size_t first, const Parity& parity,
                      const Judge& judge) {
  if (!can_grow(judge)) return false;
  stop_if_asked();
  double* values = column(batch, k);
  batch.coordinates[k].resize(rank(), 0.0);
  for (std::size_t f = first; f < rank(); ++f) {
    const double* function = functions_.data() + f * rows_;
    const double product = blas::dot(rows_, function, values);
    blas::axpy(rows_, -product, function, values);
    batch.coordinates[k][f] += product / root_;
  }
  const double left = norm(batch, k);
  if (left <= 0 || judge.trivial(left, rank())) return false;
  lower_.push_back(batch.coordinates[k]);
  lower_.back().push_back(left);
  kept_.push_back(parity);
  const double scale = 1 / (left * root_);
  for (std::size_t i = 0; i < rows_; ++i) functions_.push_back(values[i] * scale);
  return true;
}

void SampleBasis::add_feature(std::size_t feature, Batch& singles, std::size_t k,
                              std::size_t projected, const Judge& judge) {
  const std::vector<Parity> added = parities_with(design_.features[feature], subsets_, plan_.depth);
  const std::size_t own = design_.features[feature].last - design_.features[feature].first;
  for (std::size_t c = 0; c < own; ++c) add(singles, k + c, projected, added[c], judge);

  StandardisedRows rows(design_, columns_of(added));
  if (added.size() > own) rows.fill(whole_, 0, rows_);
  for (std::size_t from = own; from < added.size(); from += batch_columns) {
    if (!can_grow(judge)) break;
    Batch batch;
    batch.count = std::min(batch_columns, added.size() - from);
    batch.values.resize(rows_ * batch.count);
    batch.coordinates.resize(batch.count);
    in_parallel(batch.count, [&](std::size_t c) {
      rows.evaluate(added[from + c], batch.values.data() + c * rows_);
    });
    take_out(batch, 0, 0, 2);
    const std::size_t first = rank();
    for (std::size_t c = 0; c < batch.count; ++c) {
      const std::size_t before = rank();
      add(batch, c, first, added[from + c], judge);
      take_out(batch, c + 1, before, 1);
    }
  }
  subsets_.insert(subsets_.end(), added.begin(), added.end());
}

// What is left of the columns k, k + 1, … of a feature: the largest norm. In a full space, nothing.
double SampleBasis::largest_norm(Batch& singles, std::size_t k, std::size_t count) const {
  double largest = 0;
  for (std::size_t c = 0; c < count && !full(); ++c) {
    largest = std::max(largest, norm(singles, k + c));
  }
  return largest;
}

std::size_t SampleBasis::walk(const std::vector<std::size_t>& order, std::size_t position,
                              Ledger& ledger) {
  std::vector<std::size_t> explained;
  progress_.begin("orthogonalising", order.size());
  while (position < order.size() && !is_full()) {
    progress_.advance(position);
    Batch singles = next_singles(order, position);
    const std::size_t projected = rank();  // functions added later are taken out one pass at a time
    for (std::size_t k = 0; k < singles.count && !is_full(); ++position) {
      const std::size_t feature = order[position];
      const DesignFeature& columns = design_.features[feature];
      const std::size_t own = columns.last - columns.first;
      for (std::size_t c = 0; c < own; ++c) {
        coordinates_[columns.first + c] = singles.coordinates[k + c];
      }
      const Test test = ledger.test(largest_norm(singles, k, own), rank());
      const bool here = ledger.improves(feature, test);
      const Verdict verdict = ledger.decide(feature, test);
      if (here && (verdict == Verdict::removed || ledger.doubtful(feature, test))) {
        explained.push_back(feature);
      }
      if (verdict != Verdict::removed) {
        ++members_;
        columns_ += own;
      }
      if ((verdict != Verdict::removed || !plan_.prune) && can_grow(ledger.judge())) {
        const std::size_t before = rank();
        add_feature(feature, singles, k, projected, ledger.judge());
        take_out(singles, k + own, before, 1);
      }
      k += own;
    }
  }
  progress_.end();
  if (plan_.explain) explain(explained, ledger);
  return position;
}

void SampleBasis::find_coordinates(const std::vector<std::size_t>& features) {
  std::vector<std::size_t> without;
  for (const std::size_t feature : features) {
    if (coordinates_[design_.features[feature].first].empty()) without.push_back(feature);
  }
  for (std::size_t position = 0; position < without.size();) {
    Batch singles = next_singles(without, position, true);
    for (std::size_t k = 0; k < singles.count; ++position) {
      const DesignFeature& columns = design_.features[without[position]];
      for (std::size_t c = columns.first; c < columns.last; ++c, ++k) {
        coordinates_[c] = std::move(singles.coordinates[k]);
      }
    }
  }
}

std::vector<std::optional<double>> SampleBasis::norms_left(std::span<const std::size_t> features,
                                                           const std::vector<bool>& wanted) const {
  std::vector<std::optional<double>> norms(features.size());
  in_parallel((features.size() + features_at_once - 1) / features_at_once, [&](std::size_t b) {
    stop_if_asked();
    const std::size_t first = b * features_at_once;
    const std::size_t last = std::min(features.size(), first + features_at_once);
    std::vector<std::size_t> columns;
    std::size_t all = 0;
    for (std::size_t k = first; k < last; ++k) {
      const DesignFeature& own = design_.features[features[k]];
      all += own.last - own.first;
      for (std::size_t c = own.first; c < own.last && wanted[k]; ++c) columns.push_back(c);
    }
    if (columns.empty()) return;
    // An odd column that is left over goes another way through the product, with other last digits:
    // none is but the last of all, whichever are wanted.
    const std::size_t alone = all % 2 != 0 && wanted[last - 1] ? 1 : 0;
    const std::size_t paired = columns.size() - alone;
    const std::size_t whole = paired + paired % 2;
    std::vector<double> values(rows_ * (whole + alone));
    std::vector<double> products(rank() * (whole + alone));
    const auto place = [&](std::size_t k) { return k < paired ? k : whole; };
    for (std::size_t k = 0; k < columns.size(); ++k) {
      standardise(columns[k], values.data() + place(k) * rows_);
    }
    const auto multiply = [&](std::size_t from, std::size_t count) {
      if (count == 0) return;
      blas::gemm(Op::transpose, Op::none, rank(), count, rows_, 1.0, functions_.data(), rows_,
                 values.data() + from * rows_, rows_, 0.0, products.data() + from * rank(), rank());
    };
    multiply(0, whole);
    multiply(whole, alone);
    std::size_t next = 0;
    for (std::size_t k = first; k < last; ++k) {
      if (!wanted[k]) continue;
      const DesignFeature& own = design_.features[features[k]];
      double largest = 0;
      bool sure = true;
      for (std::size_t c = own.first; c < own.last; ++c, ++next) {
        const double* column = values.data() + place(next) * rows_;
        const double* in_span = products.data() + place(next) * rank();
        const double total = blas::dot(rows_, column, column);
        const double left = total - blas::dot(rank(), in_span, in_span);
        sure = sure && left >= least_left * total;
        largest = std::max(largest, left);
      }
      if (sure) norms[k] = std::sqrt(largest) / root_;
    }
  });
  return norms;
}

std::vector<bool> SampleBasis::worth_testing(std::span<const std::size_t> features,
                                             const Ledger& ledger) const {
  std::vector<bool> may(features.size(), true);
  if (!plan_.columns) return may;
  const blas::SpanSquares span(functions_.data(), rows_, rank());
  // What rounding may take from the length of a column's part in the span, as a share of its own.
  const double lost =
      2 * blas::rounding_of_inner_product(rows_) * std::sqrt(static_cast<double>(rank()));
  // (a + lost)² is at most this much more than a², for a ≤ 1.
  const double lost_squares = lost * (2 + lost);
  // Most features are told by squares alone.
  constexpr double clearly = 1.001;
  const bool tests = ledger.judge().rule == Rule::adjusted && ledger.judge().can_test(rank());
  const double beyond = ledger.judge().rows - static_cast<double>(rank());
  std::vector<char> found(features.size(), 1);
  in_parallel((features.size() + screened_at_once - 1) / screened_at_once, [&](std::size_t b) {
    stop_if_asked();
    const std::size_t last = std::min(features.size(), (b + 1) * screened_at_once);
    std::vector<float> squares;
    for (std::size_t k = b * screened_at_once; k < last;) {
      // Features that stand side by side in the running order are multiplied at once.
      const std::size_t start = plan_.columns->place(design_.features[features[k]].first);
      std::size_t end = k;
      std::size_t count = 0;
      while (end < last &&
             plan_.columns->place(design_.features[features[end]].first) == start + count) {
        count += design_.features[features[end]].last - design_.features[features[end]].first;
        ++end;
      }
      squares.resize(count);
      span.of(plan_.columns->narrow(design_.features[features[k]].first), count, squares.data());
      const float* in_span = squares.data();
      for (; k < end; ++k) {
        const DesignFeature& own = design_.features[features[k]];
        double least = 0;
        bool sure = true;
        for (std::size_t c = own.first; c < own.last; ++c, ++in_span) {
          const double total = plan_.columns->square(c);
          const double most = static_cast<double>(*in_span) + lost_squares * total;
          least = std::max(least, total - most);
          sure = sure && total - most >= least_left * total;
        }
        const double limit = ledger.matters_up_to(features[k]);
        if (sure && tests && least > clearly * limit * limit * beyond) {
          found[k] = 0;
          continue;
        }
        const Test test = ledger.test(std::sqrt(least) / root_, rank());
        const bool worth = !sure || ledger.redundant(test) || ledger.doubtful(features[k], test) ||
                           ledger.improves(features[k], test);
        found[k] = worth ? 1 : 0;
      }
    }
  });
  for (std::size_t k = 0; k < features.size(); ++k) may[k] = found[k] != 0;
  return may;
}

// Most features stay, and only the norm of what is left of them is asked for. The others, and those
// of which hardly anything is left, are projected.
void SampleBasis::test_rest(const std::vector<std::size_t>& order, std::size_t position,
                            Ledger& ledger) {
  progress_.begin("testing the rest", order.size());
  std::vector<std::size_t> close(order.begin() + static_cast<std::ptrdiff_t>(position),
                                 order.end());
  if (!full()) {
    const std::vector<std::size_t> rest = std::exchange(close, {});
    const std::vector<bool> wanted = worth_testing(rest, ledger);
    const auto norms = norms_left(rest, wanted);
    for (std::size_t k = 0; k < rest.size(); ++k) {
      if (!wanted[k]) continue;
      const Test test = norms[k] ? ledger.test(*norms[k], rank()) : Test();
      if (!norms[k] || ledger.redundant(test) || ledger.doubtful(rest[k], test)) {
        close.push_back(rest[k]);
      } else if (ledger.improves(rest[k], test)) {
        ledger[rest[k]].best = test;
      }
    }
  }
  std::vector<std::size_t> explained;
  for (std::size_t at = 0; at < close.size();) {
    progress_.advance(order.size() - close.size() + at);
    Batch singles = next_singles(close, at);
    for (std::size_t k = 0; k < singles.count; ++at) {
      const std::size_t feature = close[at];
      const DesignFeature& columns = design_.features[feature];
      const std::size_t own = columns.last - columns.first;
      for (std::size_t c = 0; c < own; ++c) {
        coordinates_[columns.first + c] = std::move(singles.coordinates[k + c]);
      }
      const Test test = ledger.test(largest_norm(singles, k, own), rank());
      k += own;
      if (!ledger.improves(feature, test)) continue;
      ledger[feature].best = test;
      if (ledger.redundant(test) || ledger.doubtful(feature, test)) explained.push_back(feature);
    }
  }
  progress_.end();
  if (plan_.explain) explain(explained, ledger);
}

}  // namespace

std::unique_ptr<GroupBasis> make_sample_basis(const Source& source, const Design& design,
                                              const GroupPlan& plan, Progress& progress) {
  return std::make_unique<SampleBasis>(source, design, plan, progress);
}

}  // namespace fsieve::span
