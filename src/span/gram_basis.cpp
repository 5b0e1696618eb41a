// The Gram engine: inner products of parities over the data, then a factorisation of their matrix
// that skips trivial parities. It reads the data once per wave of new parities and never holds it.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/stop.h"
#include "span/device_wave.h"
#include "span/exclusive_pairs.h"
#include "span/explain.h"
#include "span/gram_coordinates.h"
#include "span/group_basis.h"
#include "span/leftovers.h"
#include "span/wave.h"
#include "span/wave_on_demand.h"
#include "span/wave_plan.h"
#include "span/wave_turns.h"

namespace fsieve::inline span {
namespace {

// New parities per pass over the data. The first wave is small, so that features which turn out
// redundant cost little; as long as most candidates stay, each may be twice as large.
constexpr std::size_t first_wave = 512;
constexpr std::size_t largest_wave = 2048;
// On a device products cost little and beginnings much: a group of 30 features at depth 3 at once.
constexpr std::size_t device_wave = 4608;
// From this threshold on rounding makes no parity stay of which nothing is left.
constexpr double least_epsilon = 1e-2;

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
        left_(design_.columns.size()),
        basis_(design_) {}

  std::size_t walk(const std::vector<std::size_t>& order, std::size_t position,
                   Ledger& ledger) override {
    basis_.number_columns(order, position);
    while (position < order.size() && !is_full()) {
      const WavePlan wave = next_wave(order, position, ledger);
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
    if (full(ledger.judge())) basis_.find(features, products_, progress_);
    explain_from_coordinates(
        design_, basis_.kept(), basis_.lower(), features, ledger,
        [&](std::size_t column, std::size_t k) { return basis_.of(column, k); }, progress_);
  }

  [[nodiscard]] std::vector<Spread> spreads(const std::vector<std::size_t>& features,
                                            const Ledger& ledger, bool tails) const override {
    return basis_.spreads(source_, features, ledger, tails);
  }
  [[nodiscard]] double least_left() const override { return basis_.least_left(); }

  [[nodiscard]] std::size_t members() const override { return members_; }
  [[nodiscard]] std::size_t rank() const override { return basis_.rank(); }

 private:
  [[nodiscard]] bool is_full() const { return plan_.is_full(members_, columns_); }
  // A full space leaves nothing of any parity: none needs to be formed.
  [[nodiscard]] bool full(const Judge& judge) const { return rank() >= judge.dimensions; }

  [[nodiscard]] Test current_test(std::size_t feature, const Ledger& ledger) const {
    return ledger.test(left_.norm(design_.features[feature]), rank());
  }

  // Chooses the candidates: features that the basis does not explain now. One that it explains is
  // expected to go; it is tested at its turn all the same.
  [[nodiscard]] WavePlan next_wave(const std::vector<std::size_t>& order, std::size_t position,
                                   const Ledger& ledger) const {
    WavePlan wave;
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
  std::size_t run(const WavePlan& wave, const std::vector<std::size_t>& order, Ledger& ledger);
  // None where a parity that was to be trivial may not be.
  template <class Matrix>
  std::optional<std::size_t> run_on(Matrix& matrix, const WavePlan& wave,
                                    const std::vector<bool>& trivial,
                                    const std::vector<std::size_t>& order, Ledger& ledger);

  // The share of parities expected to stay.
  [[nodiscard]] double staying() const {
    return rank() == 1 ? plan_.staying
                       : static_cast<double>(rank()) / static_cast<double>(subsets_.size());
  }
  [[nodiscard]] bool most_stay() const { return 4 * staying() >= 3; }
  // Where these pay for the inner products of so many of a wave's parities with those that stay
  // before them. Single precision halves what the products cost, not what finding moments does.
  [[nodiscard]] std::optional<MomentIndex> moments_of(const WavePlan& wave,
                                                      std::size_t wanted) const {
    if (plan_.narrow && !most_stay()) return std::nullopt;
    const auto added = static_cast<double>(wanted);
    const double pairs = added * (static_cast<double>(rank()) + staying() * added / 2);
    return MomentIndex::where_it_pays(basis_.kept(), wave.parities, pairs);
  }
  // The parities of a wave that will be trivial, if smaller ones stay.
  [[nodiscard]] std::vector<bool> expected_trivial(const WavePlan& wave, double epsilon);
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
  ExclusivePairs pairs_;
  bool surprising_products_ = false;
  Leftovers left_;
  GramCoordinates basis_;
};

std::size_t GramBasis::run(const WavePlan& wave, const std::vector<std::size_t>& order,
                           Ledger& ledger) {
  const std::vector<double> coordinates = basis_.of(wave.singles);
  std::vector<bool> trivial(wave.parities.size());
  if (plan_.device &&
      DeviceWave::possible(*plan_.device, basis_.kept(), wave.parities, wave.singles)) {
    DeviceWave matrix(*plan_.device, basis_.kept(), wave.parities, wave.singles, progress_);
    matrix.project_out(basis_.lower().data(), rank(), coordinates);
    return *run_on(matrix, wave, trivial, order, ledger);
  }
  if (!WaveOnDemand::possible(source_, design_, basis_.kept(), wave.parities, wave.singles,
                              plan_.narrow)) {
    WaveMatrix matrix(products_.inner(basis_.kept(), wave.parities, wave.singles, progress_,
                                      Counting::allowed, moments_of(wave, wave.parities.size())),
                      rank(), wave.parities.size(), wave.singles.size());
    matrix.project_out(basis_.lower().data(), rank(), coordinates);
    return *run_on(matrix, wave, trivial, order, ledger);
  }
  const auto on_demand = [&] {
    const auto open = static_cast<std::size_t>(std::count(trivial.begin(), trivial.end(), false));
    WaveOnDemand matrix(source_, design_, basis_.kept(), wave.parities, trivial, wave.singles,
                        basis_.lower().data(), coordinates, plan_.columns.get(), most_stay(),
                        plan_.narrow, moments_of(wave, plan_.screens ? open : wave.parities.size()),
                        progress_);
    return run_on(matrix, wave, trivial, order, ledger);
  };
  if (surprising_products_) return *on_demand();
  trivial = expected_trivial(wave, ledger.judge().epsilon);
  const Leftovers before = left_;
  if (const auto end = on_demand()) return *end;
  surprising_products_ = true;
  left_ = before;
  trivial.assign(trivial.size(), false);
  return *on_demand();
}

std::vector<bool> GramBasis::expected_trivial(const WavePlan& wave, double epsilon) {
  std::vector<bool> trivial(wave.parities.size());
  if (epsilon < least_epsilon) return trivial;
  for (std::size_t q = 0; q < trivial.size(); ++q) {
    trivial[q] = wave.parities[q].size() > 1 && pairs_.any_in(wave.parities[q]);
  }
  return trivial;
}

template <class Matrix>
std::optional<std::size_t> GramBasis::run_on(Matrix& matrix, const WavePlan& wave,
                                             const std::vector<bool>& trivial,
                                             const std::vector<std::size_t>& order,
                                             Ledger& ledger) {
  const GroupSoFar group{design_, plan_, redundant_, rank()};
  WaveTurns<Matrix> walk(matrix, wave, trivial, order, ledger, group, pairs_, left_);
  if (!walk.run()) return std::nullopt;

  std::vector<std::size_t> explained;
  for (const Turn& turn : walk.turns()) {
    decide(order[turn.position], turn.test, ledger, explained);
  }
  const auto stayed =
      std::count_if(wave.candidates.begin(), wave.candidates.end(), [&](std::size_t position) {
        return position < walk.end() && ledger[order[position]].verdict != Verdict::removed;
      });
  next_wave_is(4 * static_cast<std::size_t>(stayed) >= 3 * wave.candidates.size());
  basis_.grow(wave, matrix, walk.kept(), walk.formed());
  for (std::size_t q = 0; q < wave.parities.size() && wave.owners[q] < walk.end(); ++q) {
    if (!plan_.prune || !has_any(wave.parities[q], redundant_, design_)) {
      subsets_.push_back(wave.parities[q]);
    }
  }
  if (plan_.explain) explain(explained, ledger);
  return walk.end();
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
