// GFS and GFA (003 algorithms 1 to 3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "base/run_context.h"
#include "basis/family.h"
#include "data/design.h"
#include "data/design_budget.h"
#include "device/algebra.h"
#include "equation/equations.h"
#include "equation/named_removals.h"
#include "fsieve/error.h"
#include "fsieve/gfs.h"
#include "methods/greedy/entropy_bound.h"
#include "source/checked_source.h"
#include "source/parted_source.h"
#include "span/greedy_basis.h"
#include "span/support.h"

namespace fsieve {
namespace {

// Scores that differ by less than this share are equal.
constexpr double tie = 1e-10;
// Shares of a feature's variance below this are rounding.
constexpr double gram_floor = 1e-9;
constexpr double sample_floor = 1e-13;
// Of a function of which less than this share of the squared norm was left the Gram engine does not
// know enough digits for a variance left to eight decimals.
constexpr double gram_weakest = 1e-7;
// Above this many functions their triangle alone has gigabytes.
constexpr std::size_t most_functions = 30'000;
// With more rows per column than this the Gram engine is faster (docs/decisions.md has the
// measurement); with fewer values the sample engine, which keeps all digits, takes no time.
constexpr std::size_t rows_per_column = 8;
constexpr std::size_t few_values = std::size_t{1} << 16U;
// A table of this many bytes may always be loaded: the choice of the engine must not depend on
// where the rows come from.
constexpr std::size_t small_table = std::size_t{16} << 20U;

class Greedy {
 public:
  Greedy(const Source& source, const GreedyOptions& options, const RunContext& context)
      : source_(source),
        options_(options),
        context_(context),
        progress_(context.watcher()),
        design_(make_design(source, progress_)),
        columns_(design_.columns.size()),
        family_(options.family, options.scale, design_),
        chosen_(design_.features.size()) {
    if (options.equations) check_names(design_, source.schema());
    if (options.k.value_or(0) > chosen_.size()) {
      throw Error(fmt::format("k is {}, but there are {} features", *options.k, chosen_.size()));
    }
  }

  // The feature of most worth(feature) is chosen, while any has one above 0: algorithms 2 and 3
  // differ in nothing else.
  template <class Worth>
  GreedyChoice run(double threshold, const Worth& worth) {
    basis_ = make_basis(first_engine());
    check_products_budget(source_.schema(), most_functions, context_.memory);
    result_.trace.push_back(largest_left());
    while (result_.selected.size() < options_.k.value_or(chosen_.size())) {
      const std::optional<std::size_t> feature = best(worth);
      if (!feature) break;
      result_.selected.push_back({*feature, variance(*feature), left(*feature)});
      chosen_[*feature] = true;
      orthogonalise(family_.with(*feature));
      result_.trace.push_back(largest_left());
    }
    report(threshold);
    put_names(result_.selected, source_.schema());
    name_removals(result_.removed, source_.schema());
    return std::move(result_);
  }

  // The feature of the largest score, by name where several have it; scores below 0 do not count.
  template <class Score>
  [[nodiscard]] std::optional<std::size_t> best(const Score& score) const {
    const auto& columns = source_.schema().features;
    std::vector<double> scores(chosen_.size(), -1);
    double largest = -1;
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (!chosen_[j] && !design_.features[j].constant) scores[j] = score(j);
      largest = std::max(largest, scores[j]);
    }
    if (largest < 0) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (scores[j] < 0 || scores[j] < largest * (1 - tie)) continue;
      if (!found || columns[j].name < columns[*found].name) found = j;
    }
    return found;
  }

  // The largest of a feature's columns, as it is in the data.
  [[nodiscard]] double original_variance(std::size_t feature) const {
    return design_.features[feature].variance;
  }

  // The same in the units of the scale.
  [[nodiscard]] double variance(std::size_t feature) const {
    if (options_.scale == Scale::none) return original_variance(feature);
    return design_.features[feature].constant ? 0 : 1;
  }

  [[nodiscard]] double left(std::size_t feature) const {
    if (chosen_[feature]) return 0;
    const double floor = basis_->engine() == Engine::gram ? gram_floor : sample_floor;
    double largest = 0;
    const DesignFeature& own = design_.features[feature];
    for (std::size_t c = own.first; c < own.last; ++c) {
      const double share = basis_->left(c);
      if (share < floor) continue;
      const double deviation = options_.scale == Scale::none ? design_.columns[c].deviation : 1;
      largest = std::max(largest, share * deviation * deviation);
    }
    return largest;
  }

 private:
  [[nodiscard]] double largest_left() const {
    double largest = 0;
    for (std::size_t j = 0; j < chosen_.size(); ++j) largest = std::max(largest, left(j));
    return largest;
  }

  void orthogonalise(const std::vector<Parity>& functions) {
    if (basis_->rank() + functions.size() > most_functions && source_.rows() > most_functions) {
      throw Error(fmt::format(
          "the family has more than {} functions of the first {} features chosen: take a smaller "
          "degree, or fewer features (-k)",
          most_functions, result_.selected.size()));
    }
    added_.insert(added_.end(), functions.begin(), functions.end());
    basis_->add(functions);
    hand_over();
  }

  // The sample engine takes over, with the functions so far, where the Gram engine would be out of
  // digits or slower.
  void hand_over() {
    if (options_.engine != Engine::automatic || basis_->engine() == Engine::sample) return;
    const bool slow = basis_->rank() > source_.rows() / 2;
    if (!(slow || basis_->weakest() < gram_weakest) || !can_load()) return;
    // The functions must fit too, with room for as many again.
    const std::size_t functions = 2 * basis_->rank() * source_.rows() * sizeof(double);
    if (table_bytes() + functions > std::max(context_.memory, small_table)) return;
    basis_ = make_basis(Engine::sample);
    basis_->add(added_);
  }

  [[nodiscard]] Engine first_engine() const {
    if (options_.engine != Engine::automatic) return options_.engine;
    const bool small = source_.rows() * columns_ <= few_values;
    const bool wide = source_.rows() <= rows_per_column * columns_;
    return (small || wide) && can_load() ? Engine::sample : Engine::gram;
  }

  [[nodiscard]] std::unique_ptr<GreedyBasis> make_basis(Engine engine) {
    // Columns of functions, which come behind those of features, are none of the data.
    const bool constant = options_.family.constant;
    if (engine == Engine::gram) {
      return make_greedy_gram(
          source_, design_, columns_, constant, [this](double work) { return device_for(work); },
          progress_);
    }
    return make_greedy_sample(in_memory(), design_, columns_, constant, progress_);
  }

  // Rows on other machines stay there.
  [[nodiscard]] std::shared_ptr<blas::Accelerator> device_for(double work) const {
    if (!rows_are_here(source_)) return nullptr;
    return open_accelerator(options_.device, work);
  }

  [[nodiscard]] std::size_t table_bytes() const {
    return source_.rows() * source_.schema().columns() * sizeof(double);
  }

  // Looks at the shape alone, never at where the rows are: a file gives the same bytes in memory
  // and streamed. Rows on other machines stay there.
  [[nodiscard]] bool can_load() const { return rows_are_here(source_) && fits(); }
  [[nodiscard]] bool fits() const {
    return table_bytes() <= std::max(context_.memory, small_table);
  }

  const Source& in_memory() {
    if (!source_.in_memory().empty()) return source_;
    if (!loaded_) {
      if (!fits()) {
        throw Error(
            fmt::format("the sample engine needs the whole table in memory, {0} MiB; allow it with "
                        "--memory {0}M",
                        (table_bytes() >> 20U) + 1));
      }
      loaded_ = MemorySource::load(source_);
    }
    return *loaded_;
  }

  void report(double threshold) {
    result_.functions = basis_->rank();
    // Rows that weigh more make the space smaller than n, and no feature goes for want of rows.
    const auto rank = static_cast<double>(basis_->rank());
    result_.saturated = basis_->full() && rank >= design_.weight;
    result_.engine = basis_->engine();
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
      if (chosen_[j]) continue;
      OtherFeature other{j, left(j), Reason::redundant, {}};
      if (design_.features[j].constant) {
        other.reason = Reason::constant;
      } else if (result_.saturated) {
        other.reason = Reason::saturated;
      } else if (other.variance_left > threshold) {
        other.reason = Reason::unselected;
      }
      result_.removed.push_back(std::move(other));
    }
    warn();
    if (options_.equations) add_equations();
    if (options_.equations && options_.family.kind == FamilyKind::functions &&
        options_.scale == Scale::standard) {
      for (std::size_t c = 0; c < columns_; ++c) {
        const DesignColumn& column = design_.columns[c];
        if (!chosen_[column.feature]) continue;
        result_.standardised.push_back({column.name, column.mean, column.deviation});
      }
    }
    result_.entropy_bound = entropy_bound(source_, design_, columns_, *basis_, chosen_, progress_);
  }

  void warn() {
    const auto rank = static_cast<double>(basis_->rank());
    if (result_.saturated) {
      result_.warnings.push_back(fmt::format(
          "the functions of the first {} fill all {} dimensions of the data: every other feature "
          "is "
          "a combination of them, whatever it holds",
          result_.selected.size() == 1 ? "feature"
                                       : fmt::format("{} features", result_.selected.size()),
          rank));
    } else if (rank > design_.weight / 2) {
      result_.warnings.push_back(fmt::format(
          "{} functions for {} rows: they would explain about {:.0f} % of any feature", rank,
          source_.rows(), 100 * static_cast<double>(rank) / static_cast<double>(source_.rows())));
    }
    if (basis_->engine() == Engine::gram && basis_->weakest() < gram_weakest) {
      result_.warnings.emplace_back(
          "some functions are nearly combinations of others: the gram engine knows what they leave "
          "to few digits, the sample engine knows more");
    }
  }

  void add_equations() {
    // Of a long equation only the terms that matter most are looked for.
    constexpr std::size_t most_terms = 40;
    std::vector<Explanation> explanations;
    std::vector<std::size_t> columns;  // of the features to explain, in their order
    for (const OtherFeature& other : result_.removed) {
      if (other.reason == Reason::constant) continue;
      explanations.emplace_back().feature = other.feature;
      const DesignFeature& own = design_.features[other.feature];
      for (std::size_t c = own.first; c < own.last; ++c) columns.push_back(c);
    }
    const std::vector<double>& all = basis_->coordinates();
    const auto target = [&](std::size_t t) {
      SupportTarget own{std::vector<double>(basis_->rank()),
                        std::max(basis_->left(columns[t]), 0.0), most_terms};
      for (std::size_t k = 0; k < own.coordinates.size(); ++k) {
        own.coordinates[k] = all[columns[t] + k * columns_];
      }
      return own;
    };
    SupportFinder finder(basis_->kept(), basis_->lower().data(), basis_->lower().stride(),
                         design_.weight, std::vector<bool>(basis_->rank(), true),
                         options_.family.constant);
    auto supports = finder.find(columns.size(), target, progress_);
    auto found = std::make_move_iterator(supports.begin());
    for (Explanation& explanation : explanations) {
      const DesignFeature& own = design_.features[explanation.feature];
      const auto last = found + static_cast<std::ptrdiff_t>(own.last - own.first);
      explanation.supports.assign(found, last);
      found = last;
    }
    const Products products(source_, design_);
    FitJudge judge(products, progress_);
    auto equations = fit_equations(products, chosen_, max_depth, explanations, judge, progress_);
    std::size_t next = 0;
    for (OtherFeature& other : result_.removed) {
      other.equations = other.reason == Reason::constant
                            ? constant_equations(source_.schema().features[other.feature],
                                                 design_.features[other.feature])
                            : std::move(equations[next++]);
    }
  }

  const Source& source_;
  const GreedyOptions& options_;
  const RunContext& context_;
  Progress& progress_;
  Design design_;        // grows by the columns of user functions
  std::size_t columns_;  // those of features
  FunctionFamily family_;
  std::vector<bool> chosen_;
  std::vector<Parity> added_;  // all functions so far, dependent ones too
  std::unique_ptr<GreedyBasis> basis_;
  std::unique_ptr<MemorySource> loaded_;
  GreedyChoice result_;
};

}  // namespace

GreedyChoice gfs(const Source& source, const GfsOptions& options, const RunContext& context) {
  const CheckedInput input(source);
  return within(context, [&] {
    Greedy greedy(*input, options, context);
    return greedy.run(options.epsilon2, [&](std::size_t j) {
      const double left = greedy.left(j);
      return left > options.epsilon2 ? left : -1;
    });
  });
}

GreedyChoice gfa(const Source& source, const GfaOptions& options, const RunContext& context) {
  const CheckedInput input(source);
  return within(context, [&] {
    Greedy greedy(*input, options, context);
    GreedyChoice chosen = greedy.run(options.delta, [&](std::size_t j) {
      const double left = greedy.left(j);
      return left > 0 && left >= options.delta ? greedy.original_variance(j) : -1;
    });
    chosen.chosen_by = GreedyMethod::gfa;
    return chosen;
  });
}

}  // namespace fsieve
