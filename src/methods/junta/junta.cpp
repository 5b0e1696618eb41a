// The junta learner (004 Algorithm 1): score every subset, take the best, build its predictor.
#include "fsieve/junta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/run_context.h"
#include "device/open_screens.h"
#include "fsieve/error.h"
#include "fsieve/version.h"
#include "methods/junta/formula.h"
#include "methods/junta/junta_search.h"
#include "methods/junta/low_degree.h"
#include "methods/junta/predictor.h"
#include "methods/junta/shared_search.h"
#include "methods/junta/shuffle_test.h"
#include "source/checked_source.h"
#include "source/parted_source.h"

namespace fsieve {
namespace {

constexpr std::size_t most_features = 6;

void check(const JuntaOptions& options) {
  const auto usage = [](const std::string& message) { throw Error(message, Error::Kind::usage); };
  if (options.k < 1) usage("k is at least 1");
  if (options.search == JuntaSearch::beam && options.beam == 0) usage("a beam is at least 1 wide");
  const bool low_degree = options.learner == Learner::low_degree;
  if (low_degree && options.basis == Basis::correlated) {
    usage("the low-degree learner has the product basis only");
  }
  if (low_degree && options.search != JuntaSearch::exhaustive) {
    usage("the low-degree learner takes all features: there is nothing to search");
  }
  if (options.class_weights.any() && options.device.kind == Device::Kind::cuda) {
    usage("--class-weight needs --device cpu or auto: a GPU counts every row the same");
  }
  for (const ClassWeight& weight : options.class_weights.given) {
    if (!(weight.weight > 0) || !std::isfinite(weight.weight)) {
      usage(fmt::format("--class-weight: {} is not above 0", weight.weight));
    }
  }
  if (options.checkpoint != nullptr && (low_degree || options.search != JuntaSearch::exhaustive)) {
    usage("a checkpoint needs the exhaustive search: the others are quick");
  }
}

JuntaMeasure measure_of(const JuntaOptions& options) {
  if (options.learner == Learner::erm) return JuntaMeasure::agreement;
  return basis_of(options) == Basis::correlated ? JuntaMeasure::correlated : JuntaMeasure::product;
}

std::optional<std::array<double, 2>> weights_of(const JuntaTable& table) {
  if (table.weights.even()) return std::nullopt;
  return std::array{table.weights.of(0), table.weights.of(1)};
}

SearchIdentity identity_of(const JuntaOptions& options, const JuntaTable& table, std::size_t top,
                           const Checkpoint* checkpoint) {
  return {std::string(name_of(options.learner)),
          std::string(name_of(basis_of(options))),
          options.k,
          top,
          table.size(),
          table.rows,
          checkpoint != nullptr ? fingerprint(table) : "",
          weights_of(table)};
}

std::vector<std::string> names_of(const JuntaTable& table, std::span<const std::size_t> subset) {
  std::vector<std::string> names;
  for (const std::size_t j : subset) names.push_back(table.features[j].described.name);
  return names;
}

Candidate candidate_of(const JuntaTable& table, std::span<const std::size_t> subset, double score) {
  Candidate candidate;
  candidate.features = names_of(table, subset);
  candidate.score = score;
  for (const std::size_t j : subset) {
    candidate.indices.push_back(table.features[j].described.index);
  }
  return candidate;
}

void sort_by_size(std::vector<Coefficient>& coefficients) {
  std::stable_sort(coefficients.begin(), coefficients.end(),
                   [](const Coefficient& a, const Coefficient& b) {
                     return std::abs(a.value) > std::abs(b.value);
                   });
}

class JuntaLearner {
 public:
  JuntaLearner(const Source& source, const JuntaOptions& options, const RunContext& context)
      : source_(source), options_(options), context_(context), progress_(context.watcher()) {}

  Model run() {
    check(options_);
    check_device(options_.device);
    if (!source_.weights().empty())
      throw Error("the junta learner counts rows: it takes no weights");
    SignLabel label = read_sign_label(source_, progress_);
    SignFeatures signs =
        make_sign_features(source_, options_.binarize, options_.cut,
                           JuntaTable::has_room_for_twice(source_, context_.memory), progress_);
    model_.warnings = std::move(signs.warnings);
    if (options_.k > signs.features.size()) {
      throw Error(fmt::format("{} features were asked for, but only {} can be chosen from",
                              options_.k, signs.features.size()),
                  Error::Code::too_few_features);
    }
    if (options_.k > most_features) {
      throw Error(fmt::format("k = {} is not between 1 and {}", options_.k, most_features),
                  Error::Kind::usage);
    }
    JuntaTable table(source_, std::move(signs), std::move(label), context_.memory, progress_);
    table.weigh(row_weights(options_.class_weights, table.label.name, table.label.classes,
                            table.order.rows));
    model_.version = version();
    model_.learner = options_.learner;
    model_.basis = basis_of(options_);
    model_.rows = table.rows;
    model_.feature_count = source_.schema().features.size();
    model_.ignored = source_.schema().ignored;
    model_.label = table.label.name;
    model_.classes = table.label.classes;
    model_.class_weights = weights_of(table);
    if (options_.learner == Learner::low_degree) {
      take_all(table);
    } else {
      take_best(table);
    }
    sort_by_size(model_.coefficients);
    return std::move(model_);
  }

 private:
  void take_features(const JuntaTable& table, std::span<const std::size_t> subset) {
    model_.subset = names_of(table, subset);
    for (const std::size_t j : subset) model_.features.push_back(table.features[j].described);
  }

  void take_best(const JuntaTable& table) {
    const JuntaScore score(measure_of(options_), table);
    const JuntaRanking ranking = search(table, score, options_.top, options_.checkpoint, progress_);
    model_.subsets = ranking.scored;
    for (const ScoredSubset& subset : ranking.best) {
      if (model_.candidates.size() == options_.top) break;
      model_.candidates.push_back(candidate_of(table, subset.features, subset.score));
    }
    const ScoredSubset& best = ranking.best.front();
    model_.score = best.score;
    test_by_shuffles(table, [&](const JuntaTable& shuffled) {
      NoProgress quiet;
      const JuntaScore alone(measure_of(options_), shuffled);
      return search(shuffled, alone, 1, nullptr, quiet).best.front().score;
    });
    take_features(table, best.features);
    add_predictor(table, best.features);
  }

  // Devices count every row the same.
  [[nodiscard]] Device device() const {
    return options_.class_weights.any() ? Device{Device::Kind::cpu, std::nullopt} : options_.device;
  }

  [[nodiscard]] JuntaRanking search(const JuntaTable& table, const JuntaScore& score,
                                    std::size_t top, Checkpoint* checkpoint,
                                    Progress& progress) const {
    if (options_.search == JuntaSearch::exhaustive) {
      const SearchIdentity all = identity_of(options_, table, top, checkpoint);
      const Machines* const machines = machines_of(source_);
      if (machines != nullptr && checkpoint == nullptr && work_of(table, all).worth_sharing()) {
        return search_on_machines(*machines, table, measure_of(options_), all, progress);
      }
      return search_exhaustively(table, score, all, checkpoint, device(), progress);
    }
    const std::size_t width = options_.search == JuntaSearch::beam ? options_.beam : 1;
    return search_by_steps(table, score, options_.k, width, top, progress);
  }

  void test_by_shuffles(const JuntaTable& table, const BestScore& best_score) {
    if (options_.permutations == 0) return;
    model_.shuffled = fsieve::test_by_shuffles(table, model_.score, options_.permutations,
                                               options_.seed, best_score, progress_);
  }

  void add_predictor(const JuntaTable& table, std::span<const std::size_t> subset) {
    const Predictor predictor = make_predictor(table, subset, options_.learner, model_.basis);
    const std::size_t cells = predictor.values.size();
    for (const MaskedCoefficient& coefficient : predictor.coefficients) {
      std::vector<std::string> factors;
      for (std::size_t k = 0; k < subset.size(); ++k) {
        if ((coefficient.mask >> k & 1U) != 0) factors.push_back(model_.subset[k]);
      }
      model_.coefficients.push_back({std::move(factors), coefficient.value});
    }
    const bool majority = model_.majority();
    std::int64_t errors[2] = {0, 0};  // per class
    for (std::size_t row = 0; row < cells; ++row) {
      // The first feature changes slowest, low before high.
      ModelCell cell;
      std::size_t mask = 0;
      for (std::size_t k = 0; k < subset.size(); ++k) {
        const bool high = (row >> (subset.size() - 1 - k) & 1U) != 0;
        cell.high.push_back(high);
        if (high) mask |= std::size_t{1} << k;
      }
      const std::int64_t negative = predictor.cells[mask];
      const std::int64_t positive = predictor.cells[cells + mask];
      cell.count = static_cast<std::uint64_t>(negative + positive);
      cell.positive = static_cast<std::uint64_t>(positive);
      cell.value = predictor.values[mask];
      cell.prediction = cell.value == 0 ? majority : cell.value > 0;
      if (cell.prediction) {
        errors[0] += negative;
      } else {
        errors[1] += positive;
      }
      model_.table.push_back(std::move(cell));
    }
    const auto n = static_cast<double>(table.rows);
    model_.training_error = static_cast<double>(errors[0] + errors[1]) / n;
    if (model_.class_weights) model_.weighted_error = table.weights.size(errors[0], errors[1]) / n;
    if (subset.size() <= most_formula_features) {
      model_.formula = formula_of(model_.features, model_.table);
    }
    if (options_.learner == Learner::fourier && model_.basis == Basis::product) {
      warn_of_dependence(dependence(table, subset, predictor.cells), cells);
    }
  }

  // Independent features are at a distance of about √(cells / n) / 2 by chance.
  void warn_of_dependence(double distance, std::size_t cells) {
    const double chance = std::sqrt(static_cast<double>(cells) / static_cast<double>(model_.rows));
    if (distance <= std::max(0.05, 2 * chance)) return;
    model_.warnings.push_back(fmt::format(
        "the chosen features depend on each other (total variation {:.2f} from independent ones), "
        "and the product basis takes them as independent; --basis correlated does not",
        distance));
  }

  void take_all(const JuntaTable& table) {
    LowDegree found = learn_low_degree(table, options_.k, progress_);
    std::vector<std::size_t> all(table.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    take_features(table, all);
    model_.subsets = 1;
    model_.score = found.score;
    test_by_shuffles(table, [&](const JuntaTable& shuffled) {
      NoProgress quiet;
      return learn_low_degree(shuffled, options_.k, quiet).score;
    });
    model_.training_error = found.training_error;
    if (model_.class_weights) model_.weighted_error = found.weighted_error;
    if (options_.top > 0) model_.candidates.push_back(candidate_of(table, all, found.score));
    for (const LowDegree::Term& term : found.terms) {
      model_.coefficients.push_back({names_of(table, term.features), term.value});
    }
  }

  const Source& source_;
  const JuntaOptions& options_;
  const RunContext& context_;
  Progress& progress_;
  Model model_;
};

}  // namespace

Basis basis_of(const JuntaOptions& options) {
  const bool low_degree = options.learner == Learner::low_degree;
  return options.basis.value_or(low_degree ? Basis::product : Basis::correlated);
}

Model learn(const Source& source, const JuntaOptions& options, const RunContext& context) {
  const CheckedInput checked(source);
  return within(context, [&] { return JuntaLearner(*checked, options, context).run(); });
}

}  // namespace fsieve
