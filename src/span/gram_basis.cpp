// The Gram engine: inner products of parities over the data, then a factorisation of their matrix
// that skips trivial parities. It reads the data once per wave of new parities and never holds it.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/stop.h"
#include "linalg/tiles.h"
#include "span/device_wave.h"
#include "span/exclusive_pairs.h"
#include "span/explain.h"
#include "span/group_basis.h"
#include "span/spread.h"
#include "span/wave.h"
#include "span/wave_on_demand.h"

namespace fsieve::inline span {
namespace {

// New parities per pass over the data. The first wave is small, so that features which turn out
// redundant cost little; as long as most candidates stay, each may be twice as large.
constexpr std::size_t first_wave = 512;
constexpr std::size_t largest_wave = 2048;
// On a device products cost little and beginnings much: a group of 30 features at depth 3 at once.
constexpr std::size_t device_wave = 4608;
// Parities factorised between two updates of the rest.
constexpr std::size_t panel_width = 128;

// What is left of a column is a difference of squares: below this it is their rounding.
constexpr double noise2 = 1e-12;

// From this threshold on rounding makes no parity stay of which nothing is left, and bounds on what
// is left are taken this much larger.
constexpr double least_epsilon = 1e-2;
constexpr double safety = 1.01;

double norm_left(double residual2) { return residual2 < noise2 ? 0 : std::sqrt(residual2); }

// The next features that are expected to stay ("candidates") with the parities they would bring,
// and the other open features ("bystanders"), expected to go or to come later. Features are named
// by their positions in the running order.
struct Wave {
  std::vector<std::size_t> candidates;
  std::vector<std::size_t> bystanders;
  std::vector<Parity> parities;
  std::vector<std::size_t> owners;   // of each parity: its newest feature
  std::vector<std::size_t> singles;  // design columns of the bystanders
};

struct ByColumns {
  bool operator()(const Parity& a, const Parity& b) const {
    return std::lexicographical_compare(a.columns().begin(), a.columns().end(), b.columns().begin(),
                                        b.columns().end());
  }
};

// A feature's turn: its position, and its test against this group.
struct Turn {
  std::size_t position;
  Test test;
};

class GramBasis final : public ScreenBasis {
 public:
  GramBasis(const Products& products, const GroupPlan& plan, Progress& progress)
      : products_(products),
        source_(products.source()),
        design_(products.design()),
        plan_(plan),
        progress_(progress),
        wave_parities_(plan.device  ? device_wave
                       : plan.prune ? first_wave
                                    : largest_wave),
        redundant_(design_.features.size()),
        pairs_(source_, design_),
        residual2_(design_.columns.size(), 1.0),
        slots_(design_.columns.size()) {}

  std::size_t walk(const std::vector<std::size_t>& order, std::size_t position,
                   Ledger& ledger) override {
    number_columns(order, position);
    while (position < order.size() && !is_full()) {
      const Wave wave = next_wave(order, position, ledger);
      position =
          wave.candidates.empty() ? settle(order, position, ledger) : run(wave, order, ledger);
    }
    return position;
  }

  void test_rest(const std::vector<std::size_t>& order, std::size_t position,
                 Ledger& ledger) override {
    std::vector<std::size_t> explained;
    for (; position < order.size(); ++position) {
      const std::size_t feature = order[position];
      if (!plan_.tests(feature)) continue;
      const auto test = current_test(feature, ledger);
      if (!ledger.improves(feature, test)) continue;
      ledger[feature].best = test;
      if (ledger.redundant(test) || ledger.doubtful(feature, test)) explained.push_back(feature);
    }
    if (plan_.explain) explain(explained, ledger);
  }

  void explain(const std::vector<std::size_t>& features, Ledger& ledger) override {
    if (full(ledger.judge())) find_coordinates(features);
    explain_from_coordinates(
        design_, kept_, lower_, features, ledger,
        [&](std::size_t column, std::size_t k) { return coordinate(column, k); }, progress_);
  }

  [[nodiscard]] std::vector<Spread> spreads(const std::vector<std::size_t>& features,
                                            const Ledger& ledger, bool tails) const override;
  [[nodiscard]] double least_left() const override;

  [[nodiscard]] std::size_t members() const override { return members_; }
  [[nodiscard]] std::size_t rank() const override { return kept_.size(); }

 private:
  [[nodiscard]] bool is_full() const { return plan_.is_full(members_, columns_); }
  // A full space leaves nothing of any parity: none needs to be formed.
  [[nodiscard]] bool full(const Judge& judge) const { return rank() >= judge.dimensions; }

  // What is left of a feature: the largest of its columns' residual norms.
  [[nodiscard]] double current_norm(std::size_t feature) const {
    const DesignFeature& columns = design_.features[feature];
    double largest = 0;
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      largest = std::max(largest, residual2_[c]);
    }
    return norm_left(largest);
  }

  [[nodiscard]] Test current_test(std::size_t feature, const Ledger& ledger) const {
    return ledger.test(current_norm(feature), rank());
  }

  // Chooses the candidates: features that the basis does not explain now. One that it explains is
  // expected to go; it is tested at its turn all the same.
  [[nodiscard]] Wave next_wave(const std::vector<std::size_t>& order, std::size_t position,
                               const Ledger& ledger) const {
    Wave wave;
    std::vector<Parity> subsets = subsets_;
    std::size_t columns = columns_;
    bool open = ledger.judge().can_test(rank()) && !full(ledger.judge());
    for (; position < order.size(); ++position) {
      stop_if_asked();
      const DesignFeature& feature = design_.features[order[position]];
      if (open &&
          (!plan_.prune || !ledger.goes(order[position], current_test(order[position], ledger)))) {
        std::vector<Parity> added = parities_with(feature, subsets, plan_.depth);
        open = wave.candidates.empty() || wave.parities.size() + added.size() <= wave_parities_;
        if (open) {
          wave.candidates.push_back(position);
          wave.owners.resize(wave.owners.size() + added.size(), position);
          wave.parities.insert(wave.parities.end(), added.begin(), added.end());
          subsets.insert(subsets.end(), added.begin(), added.end());
          columns += feature.last - feature.first;
          open = !plan_.is_full(members_ + wave.candidates.size(), columns);
          continue;
        }
      }
      if (!plan_.prune) continue;  // own groups: everyone becomes a candidate in turn
      wave.bystanders.push_back(position);
      if (!plan_.tests(order[position])) continue;
      for (std::size_t c = feature.first; c < feature.last; ++c) wave.singles.push_back(c);
    }
    return wave;
  }

  // Decides features for which the basis cannot change any more: all that are left are expected to
  // go, or no degrees of freedom are left and the group only takes members.
  std::size_t settle(const std::vector<std::size_t>& order, std::size_t position, Ledger& ledger) {
    std::vector<std::size_t> explained;
    for (; position < order.size() && !is_full(); ++position) {
      decide(order[position], current_test(order[position], ledger), ledger, explained);
    }
    if (plan_.explain) explain(explained, ledger);
    return position;
  }

  // A feature's turn. `explained` takes those that this group removes, or may have to.
  void decide(std::size_t feature, const Test& test, Ledger& ledger,
              std::vector<std::size_t>& explained) {
    const bool by_this_group = ledger.improves(feature, test);
    const bool removed = ledger.decide(feature, test) == Verdict::removed;
    if (!removed) {
      ++members_;
      columns_ += design_.features[feature].last - design_.features[feature].first;
    }
    redundant_[feature] = redundant_[feature] || removed;
    if (by_this_group && (removed || ledger.doubtful(feature, test))) explained.push_back(feature);
  }

  void next_wave_is(bool larger) {
    if (plan_.device || !plan_.prune) return;
    wave_parities_ = larger ? std::min(2 * wave_parities_, largest_wave) : first_wave;
  }

  // Runs a wave and returns the position of the first feature not decided.
  std::size_t run(const Wave& wave, const std::vector<std::size_t>& order, Ledger& ledger);
  // None where a parity that was to be trivial may not be.
  template <class Matrix>
  std::optional<std::size_t> run_on(Matrix& matrix, const Wave& wave,
                                    const std::vector<bool>& trivial,
                                    const std::vector<std::size_t>& order, Ledger& ledger);

  // The share of parities expected to stay.
  [[nodiscard]] double staying() const {
    return kept_.size() == 1
               ? plan_.staying
               : static_cast<double>(kept_.size()) / static_cast<double>(subsets_.size());
  }
  [[nodiscard]] bool most_stay() const { return 4 * staying() >= 3; }
  // Where these pay for the inner products of so many of a wave's parities with those that stay
  // before them. Single precision halves what the products cost, not what finding moments does.
  [[nodiscard]] std::optional<MomentIndex> moments_of(const Wave& wave, std::size_t wanted) const {
    if (plan_.narrow && !most_stay()) return std::nullopt;
    const auto added = static_cast<double>(wanted);
    const double pairs = added * (static_cast<double>(rank()) + staying() * added / 2);
    return MomentIndex::where_it_pays(kept_, wave.parities, pairs);
  }
  // The parities of a wave that will be trivial, if smaller ones stay.
  [[nodiscard]] std::vector<bool> expected_trivial(const Wave& wave, double epsilon);
  // At most how much of a parity is left, from what is left of smaller ones.
  [[nodiscard]] double most_left(const Parity& parity) {
    const auto left = [&](const Parity& smaller) {
      const auto known = left_.find(smaller);
      return known == left_.end() ? 0 : known->second;
    };
    return pairs_.most_left(parity, left).value_or(1);
  }

  // Grows the basis by the kept parities of a wave, which ends at position `end`; of candidates
  // from `formed` on nothing is known.
  template <class Matrix>
  void commit(const Wave& wave, const Matrix& matrix, const std::vector<std::size_t>& kept,
              std::size_t end, std::size_t formed);

  // Of the features that this group may meet, which may be few of the table's.
  void number_columns(const std::vector<std::size_t>& order, std::size_t position) {
    for (; position < order.size(); ++position) {
      const DesignFeature& feature = design_.features[order[position]];
      for (std::size_t c = feature.first; c < feature.last; ++c) slots_[c] = numbered_++;
    }
    coordinates_.assign(numbered_, 0.0);  // on the constant
  }
  [[nodiscard]] double& coordinate(std::size_t column, std::size_t k) {
    return coordinates_[slots_[column] + k * numbered_];
  }
  [[nodiscard]] double coordinate(std::size_t column, std::size_t k) const {
    return coordinates_[slots_[column] + k * numbered_];
  }
  [[nodiscard]] std::vector<double> coordinates_of(const std::vector<std::size_t>& columns) const;
  // Of features whose turn came in a full space, where none were needed.
  void find_coordinates(const std::vector<std::size_t>& features);
  [[nodiscard]] bool has_any(const Parity& parity, const std::vector<bool>& features) const {
    return std::any_of(parity.columns().begin(), parity.columns().end(),
                       [&](std::uint32_t c) { return features[design_.columns[c].feature]; });
  }

  const Products& products_;
  const Source& source_;
  const Design& design_;
  GroupPlan plan_;
  Progress& progress_;
  std::size_t members_ = 0;
  std::size_t columns_ = 0;  // of the members
  std::size_t wave_parities_;
  std::vector<bool> redundant_;            // features that this group's walk removed
  std::vector<Parity> subsets_{Parity()};  // all parities of the members, trivial ones too
  std::vector<Parity> kept_{Parity()};     // the non-trivial ones
  // Of parities that are trivial: what is left of them at most.
  std::map<Parity, double, ByColumns> left_;
  ExclusivePairs pairs_;
  bool surprising_products_ = false;
  std::vector<double> lower_{1.0};  // their coordinates: rank x rank, lower triangular
  std::vector<double> residual2_;   // of every design column: what the basis leaves of it
  std::vector<std::size_t> slots_;  // of the design columns that are numbered
  std::size_t numbered_ = 0;
  std::vector<double> coordinates_;  // of these columns: numbered x rank
};

std::size_t GramBasis::run(const Wave& wave, const std::vector<std::size_t>& order,
                           Ledger& ledger) {
  const std::vector<double> coordinates = coordinates_of(wave.singles);
  std::vector<bool> trivial(wave.parities.size());
  if (plan_.device && DeviceWave::possible(*plan_.device, kept_, wave.parities, wave.singles)) {
    DeviceWave matrix(*plan_.device, kept_, wave.parities, wave.singles, progress_);
    matrix.project_out(lower_.data(), rank(), coordinates);
    return *run_on(matrix, wave, trivial, order, ledger);
  }
  if (!WaveOnDemand::possible(source_, design_, kept_, wave.parities, wave.singles, plan_.narrow)) {
    WaveMatrix matrix(products_.inner(kept_, wave.parities, wave.singles, progress_,
                                      Counting::allowed, moments_of(wave, wave.parities.size())),
                      rank(), wave.parities.size(), wave.singles.size());
    matrix.project_out(lower_.data(), rank(), coordinates);
    return *run_on(matrix, wave, trivial, order, ledger);
  }
  const auto on_demand = [&] {
    const auto open = static_cast<std::size_t>(std::count(trivial.begin(), trivial.end(), false));
    WaveOnDemand matrix(source_, design_, kept_, wave.parities, trivial, wave.singles,
                        lower_.data(), coordinates, plan_.columns.get(), most_stay(), plan_.narrow,
                        moments_of(wave, plan_.screens ? open : wave.parities.size()), progress_);
    return run_on(matrix, wave, trivial, order, ledger);
  };
  if (surprising_products_) return *on_demand();
  trivial = expected_trivial(wave, ledger.judge().epsilon);
  const std::vector<double> residual2 = residual2_;
  const auto left = left_;
  if (const auto end = on_demand()) return *end;
  surprising_products_ = true;
  residual2_ = residual2;
  left_ = left;
  trivial.assign(trivial.size(), false);
  return *on_demand();
}

std::vector<bool> GramBasis::expected_trivial(const Wave& wave, double epsilon) {
  std::vector<bool> trivial(wave.parities.size());
  if (epsilon < least_epsilon) return trivial;
  for (std::size_t q = 0; q < trivial.size(); ++q) {
    trivial[q] = wave.parities[q].size() > 1 && pairs_.any_in(wave.parities[q]);
  }
  return trivial;
}

template <class Matrix>
std::optional<std::size_t> GramBasis::run_on(Matrix& matrix, const Wave& wave,
                                             const std::vector<bool>& trivial,
                                             const std::vector<std::size_t>& order,
                                             Ledger& ledger) {
  std::vector<Turn> turns;        // decided when it is sure which of them come before `end`
  std::vector<std::size_t> kept;  // parities of the wave
  std::size_t taken_out = 0;      // how many of them are taken out of the bystanders too
  std::size_t rank_now = rank();  // with the kept parities of the panel in work
  std::size_t end = wave.candidates.back() + 1;
  auto bystander = wave.bystanders.begin();
  bool wrong = false;     // a parity may stay that was to be trivial
  bool surprise = false;  // a bystander stays after all: the wave ends at its turn

  const auto take_out = [&] {
    if (taken_out == kept.size()) return;
    matrix.form_singles();
    for (; taken_out < kept.size(); ++taken_out) {
      for (std::size_t s = 0; s < wave.singles.size(); ++s) {
        const double on_it = matrix.single_on_new(s, kept[taken_out]);
        residual2_[wave.singles[s]] -= on_it * on_it;
      }
    }
  };

  const auto bystanders_before = [&](std::size_t position) {
    if (bystander != wave.bystanders.end() && *bystander < position) take_out();
    for (; bystander != wave.bystanders.end() && *bystander < position; ++bystander) {
      const std::size_t feature = order[*bystander];
      const auto test = ledger.test(current_norm(feature), rank() + kept.size());
      if (!ledger.goes(feature, test)) {
        surprise = true;
        end = *bystander;
        return;
      }
      turns.push_back({*bystander, test});
    }
  };

  // Does parity q stay? A feature's first column decides for the feature.
  std::vector<bool> redundant = redundant_;
  std::optional<std::size_t> owner;
  const auto keep = [&](std::size_t q) {
    if (owner != wave.owners[q]) {
      owner = wave.owners[q];
      const std::size_t feature = order[*owner];
      const DesignFeature& columns = design_.features[feature];
      double largest = 0;
      for (std::size_t c = 0; c < columns.last - columns.first; ++c) {
        largest = std::max(largest, matrix.residual2(q + c));
      }
      const auto test = ledger.test(norm_left(largest), rank_now);
      turns.push_back({*owner, test});
      redundant[feature] = ledger.goes(feature, test);
    }
    if (!ledger.judge().can_test(rank_now)) return false;
    if (plan_.prune && has_any(wave.parities[q], redundant)) return false;
    const double left = trivial[q] ? most_left(wave.parities[q]) : norm_left(matrix.residual2(q));
    if (!trivial[q] && left > 0 && !ledger.judge().trivial(left, rank_now)) {
      ++rank_now;
      return true;
    }
    left_[wave.parities[q]] = left;
    wrong = wrong || (trivial[q] && !ledger.judge().trivial(safety * left, rank_now));
    return false;
  };

  const auto open = [&] { return !surprise && rank_now < ledger.judge().dimensions; };
  std::size_t begin = 0;
  while (begin < wave.parities.size() && open()) {
    std::size_t stop = std::min(begin + panel_width, wave.parities.size());
    // The indicators of one feature are judged together.
    while (stop < wave.parities.size() && wave.parities[stop].size() == 1 &&
           wave.owners[stop] == wave.owners[stop - 1]) {
      ++stop;
    }
    const auto stay = matrix.factorise(begin, stop, keep);
    if (wrong) return std::nullopt;
    for (const std::size_t q : stay) {
      bystanders_before(wave.owners[q]);
      if (surprise) break;
      kept.push_back(q);
    }
    begin = stop;
  }
  if (begin < wave.parities.size() && !surprise) end = *owner + 1;  // a full space
  if (!surprise) bystanders_before(end);
  take_out();
  if (surprise) matrix.form_rest();
  matrix.fetch();

  std::vector<std::size_t> explained;
  std::sort(turns.begin(), turns.end(),
            [](const Turn& a, const Turn& b) { return a.position < b.position; });
  for (const Turn& turn : turns) {
    if (turn.position < end) decide(order[turn.position], turn.test, ledger, explained);
  }
  const auto stayed = static_cast<std::size_t>(
      std::count_if(wave.candidates.begin(), wave.candidates.end(), [&](std::size_t position) {
        return position < end && ledger[order[position]].verdict != Verdict::removed;
      }));
  next_wave_is(4 * stayed >= 3 * wave.candidates.size());
  commit(wave, matrix, kept, end, surprise ? order.size() : end);
  if (plan_.explain) explain(explained, ledger);
  return end;
}

template <class Matrix>
void GramBasis::commit(const Wave& wave, const Matrix& matrix, const std::vector<std::size_t>& kept,
                       std::size_t end, std::size_t formed) {
  const std::size_t before = rank();
  const std::size_t after = before + kept.size();
  std::vector<double> lower(after * after);
  for (std::size_t c = 0; c < before; ++c) {
    std::copy_n(lower_.data() + c * before, before, lower.data() + c * after);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    stop_if_asked();
    for (std::size_t c = 0; c < before; ++c) {
      lower[before + i + c * after] = matrix.on_old(kept[i], c);
    }
    for (std::size_t k = i; k < kept.size(); ++k) {
      lower[before + k + (before + i) * after] = matrix.on_new(kept[k], kept[i]);
    }
  }
  lower_ = std::move(lower);

  coordinates_.resize(numbered_ * after, 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (std::size_t s = 0; s < wave.singles.size(); ++s) {
      coordinate(wave.singles[s], before + k) = matrix.single_on_new(s, kept[k]);
    }
  }
  // The candidates' own columns are parities of the wave.
  for (std::size_t q = 0; q < wave.parities.size(); ++q) {
    if (wave.parities[q].size() != 1 || wave.owners[q] >= formed) continue;
    stop_if_asked();
    const std::size_t column = wave.parities[q].columns()[0];
    for (std::size_t c = 0; c < before; ++c) {
      coordinate(column, c) = matrix.on_old(q, c);
    }
    for (std::size_t k = 0; k < kept.size() && kept[k] < q; ++k) {
      coordinate(column, before + k) = matrix.on_new(q, kept[k]);
    }
  }

  for (const std::size_t q : kept) kept_.push_back(wave.parities[q]);
  for (std::size_t q = 0; q < wave.parities.size() && wave.owners[q] < end; ++q) {
    if (!plan_.prune || !has_any(wave.parities[q], redundant_)) {
      subsets_.push_back(wave.parities[q]);
    }
  }
}

std::vector<Spread> GramBasis::spreads(const std::vector<std::size_t>& features,
                                       const Ledger& ledger, bool tails) const {
  std::vector<Leftover> wanted;
  for (const std::size_t feature : features) {
    Leftover most{0, ledger[feature].best.rank, {}};
    double largest = -1;
    for (std::size_t c = design_.features[feature].first; c < design_.features[feature].last; ++c) {
      double left = 1;
      for (std::size_t k = 0; k < most.rank; ++k) {
        left -= std::pow(coordinate(c, k), 2);
      }
      if (left <= largest) continue;
      largest = left;
      most.column = c;
    }
    for (std::size_t k = 0; k < most.rank; ++k) {
      most.coordinates.push_back(coordinate(most.column, k));
    }
    wanted.push_back(std::move(most));
  }
  return spreads_of(source_, design_, kept_, lower_, wanted, tails);
}

double GramBasis::least_left() const {
  std::vector<double> squares(rank());
  for (std::size_t k = 0; k < rank(); ++k) {
    for (std::size_t q = k; q < rank(); ++q) {
      squares[q] += lower_[q + k * rank()] * lower_[q + k * rank()];
    }
  }
  double least = 1;
  for (std::size_t q = 0; q < rank(); ++q) {
    least = std::min(least, lower_[q + q * rank()] * lower_[q + q * rank()] / squares[q]);
  }
  return least;
}

void GramBasis::find_coordinates(const std::vector<std::size_t>& features) {
  std::vector<std::size_t> columns;
  for (const std::size_t feature : features) {
    const DesignFeature& own = design_.features[feature];
    for (std::size_t c = own.first; c < own.last; ++c) columns.push_back(c);
  }
  if (columns.empty()) return;
  Buffer products = products_.inner({}, kept_, columns, progress_, Counting::never);
  const std::size_t stride = rank() + columns.size();
  double* const with_kept = products.data() + rank();
  blas::tiled_solve_right_transposed(columns.size(), rank(), lower_.data(), rank(), with_kept,
                                     stride);
  for (std::size_t k = 0; k < rank(); ++k) {
    for (std::size_t s = 0; s < columns.size(); ++s) {
      coordinate(columns[s], k) = with_kept[s + k * stride];
    }
  }
}

std::vector<double> GramBasis::coordinates_of(const std::vector<std::size_t>& columns) const {
  std::vector<double> part(columns.size() * rank());
  for (std::size_t k = 0; k < rank(); ++k) {
    double* to = part.data() + k * columns.size();
    for (std::size_t s = 0; s < columns.size(); ++s) to[s] = coordinate(columns[s], k);
  }
  return part;
}

}  // namespace

std::unique_ptr<ScreenBasis> make_screen_basis(const Products& products, const GroupPlan& plan,
                                               Progress& progress) {
  return std::make_unique<GramBasis>(products, plan, progress);
}

std::unique_ptr<GroupBasis> make_gram_basis(const Products& products, const GroupPlan& plan,
                                            Progress& progress) {
  return std::make_unique<GramBasis>(products, plan, progress);
}

}  // namespace fsieve::span
