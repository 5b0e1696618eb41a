#include "methods/uffs/confirm.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "equation/confirmation.h"
#include "equation/equations.h"

namespace fsieve::inline methods {

Test left_by_fits(const std::vector<Fit>& fits) {
  Test test{0, 1};
  for (const Fit& fit : fits) {
    test.norm = std::max(test.norm, std::sqrt(std::max(1 - fit.r2_fit, 0.0)));
    test.rank = std::max(test.rank, fit.length() + 1);
  }
  return test;
}

namespace {

// A feature that stays, which all rows might remove by an equation that a person reads.
bool worth_a_look(std::size_t feature, const Ledger& ledger) {
  const auto& supports = ledger[feature].supports;
  return ledger.doubtful(feature, ledger[feature].best) &&
         std::all_of(supports.begin(), supports.end(), [&](const std::vector<Parity>& support) {
           return support.size() < ledger.most_terms(feature);
         });
}

}  // namespace

bool Confirmer::confirm(double epsilon, const Features& order, bool sampled, Ledger& ledger,
                        Foreknowledge& known, std::vector<Outcome>& outcomes) {
  const Design& design = problem_.design;
  const std::size_t max_terms = problem_.options.max_terms;
  std::vector<FitTask> tasks;
  std::vector<std::size_t> targets;
  Features explained;
  for (const std::size_t j : order) {
    if (ledger[j].verdict != Verdict::removed && !worth_a_look(j, ledger)) continue;
    explained.push_back(j);
    for (std::size_t c = design.features[j].first; c < design.features[j].last; ++c) {
      const std::size_t place = c - design.features[j].first;
      const auto& supports = ledger[j].supports;
      const std::vector<Monomial> products =
          place < supports.size() ? products_of(supports[place]) : std::vector<Monomial>{};
      tasks.push_back({c, closure(products), max_terms, epsilon * epsilon});
      targets.push_back(c);
    }
  }
  std::vector<Fit> fits = fit_all(*problem_.products, tasks, problem_.progress);
  const std::vector<HeldOutFit> judged = judged_fits(explained, targets, sampled, fits);
  std::size_t next = 0;
  bool otherwise = false;
  for (const std::size_t j : explained) {
    const std::size_t columns = design.features[j].last - design.features[j].first;
    Confirmation all(epsilon, design.weight, max_terms);
    for (std::size_t k = next; k < next + columns; ++k) {
      const double deviation = design.columns[targets[k]].deviation;
      all.add(judged[k], fits[k].length(), deviation * deviation,
              chosen_from(fits[k].length(), ledger[j].best.rank));
      outcomes[j].fits.push_back(std::move(fits[k]));
    }
    next += columns;
    const bool went = ledger[j].verdict == Verdict::removed;
    ledger[j].verdict = all.holds() ? Verdict::removed : Verdict::kept;
    if (!sampled || went == all.holds()) continue;
    // A feature that is explained, but not confirmed, is no news: nor does it explain others.
    if (went && left_by_fits(outcomes[j].fits).norm <= epsilon) continue;
    (went ? known.stays : known.goes)[j] = true;
    otherwise = true;
  }
  return otherwise;
}

// How the fits of these features' columns do on rows that were not used. A feature that stays since
// nobody could read its equation need not be judged: then all is left of it.
std::vector<HeldOutFit> Confirmer::judged_fits(const Features& features,
                                               const std::vector<std::size_t>& targets,
                                               bool sampled, std::vector<Fit>& fits) {
  if (sampled) return judge_.judge(targets, fits);  // what is left is reported, too
  const auto unreadable = [&](const Fit& fit) {
    return fit.length() > problem_.options.max_terms && 1 - fit.r2_fit > 2 * exact_share;
  };
  std::vector<std::size_t> chosen;
  std::size_t next = 0;
  for (const std::size_t j : features) {
    const DesignFeature& feature = problem_.design.features[j];
    const std::size_t end = next + feature.last - feature.first;
    const auto first = fits.begin() + static_cast<std::ptrdiff_t>(next);
    const auto last = fits.begin() + static_cast<std::ptrdiff_t>(end);
    const bool stays = std::any_of(first, last, unreadable);
    for (; next < end; ++next) {
      if (!stays) chosen.push_back(next);
    }
  }
  std::vector<std::size_t> some_targets;
  std::vector<Fit> some;
  for (const std::size_t k : chosen) {
    some_targets.push_back(targets[k]);
    some.push_back(std::move(fits[k]));
  }
  const std::vector<HeldOutFit> judged = judge_.judge(some_targets, some);
  std::vector<HeldOutFit> all(fits.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    all[chosen[k]] = judged[k];
    fits[chosen[k]] = std::move(some[k]);
  }
  return all;
}

// Logarithm of the number of equations of so many terms among which one was found: of any feature,
// by any of the parities of any group.
double Confirmer::chosen_from(std::size_t terms, std::size_t parities) const {
  return 2 * std::log(static_cast<double>(problem_.design.features.size())) +
         static_cast<double>(terms) *
             std::log(static_cast<double>(std::max<std::size_t>(parities, 2)));
}

}  // namespace fsieve::methods
