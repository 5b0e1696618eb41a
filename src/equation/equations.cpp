#include "equation/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/stop.h"
#include "equation/fit.h"

namespace fsieve::inline equation {
namespace {

// More products than this make no equation that anyone would read.
constexpr std::size_t most_products = 400;
// An equation in the selected features is preferred when its R² is at most this much smaller.
constexpr double r2_tolerance = 0.001;

class EquationFitter {
 public:
  EquationFitter(const Products& products, const std::vector<bool>& selected, int depth,
                 FitJudge& judge, std::size_t most_terms, Progress& progress)
      : products_(products),
        design_(products.design()),
        selected_(selected),
        depth_(depth),
        judge_(judge),
        most_terms_(most_terms),
        progress_(progress) {}

  // Later stages first: their features are what earlier equations may have to be rid of.
  std::vector<std::vector<Equation>> run(const std::vector<Explanation>& explanations) {
    std::set<int, std::greater<>> stages;
    for (const Explanation& explanation : explanations) stages.insert(explanation.stage);
    for (const int stage : stages) fit_stage(explanations, stage);

    mend();
    std::map<std::size_t, Equation> equations;
    for (const auto& [target, fit] : fits_) equations[target] = written(design_, target, fit);

    std::vector<std::vector<Equation>> result;
    for (const Explanation& explanation : explanations) {
      auto& own = result.emplace_back();
      const DesignFeature& feature = design_.features[explanation.feature];
      for (std::size_t c = feature.first; c < feature.last; ++c) {
        own.push_back(std::move(equations[c]));
      }
    }
    return result;
  }

 private:
  [[nodiscard]] bool is_selected(std::uint32_t column) const {
    return selected_[design_.columns[column].feature];
  }

  [[nodiscard]] bool all_selected(const std::vector<Monomial>& products) const {
    return std::all_of(products.begin(), products.end(), [&](const Monomial& product) {
      return std::all_of(product.begin(), product.end(),
                         [&](std::uint32_t column) { return is_selected(column); });
    });
  }

  // The products with every column that was removed later replaced by its own equation; none where
  // that is not possible within reason.
  [[nodiscard]] std::optional<std::vector<Monomial>> in_selected_features(
      const std::vector<Monomial>& products) const {
    std::set<Monomial> all;
    for (const Monomial& product : products) {
      std::vector<Monomial> parts{{}};
      for (const std::uint32_t column : product) {
        std::vector<Monomial> replacements{{column}};
        if (!is_selected(column)) {
          const auto known = fits_.find(column);
          if (known == fits_.end()) return std::nullopt;
          replacements.clear();
          for (const FittedTerm& term : known->second.terms) replacements.push_back(term.product);
          if (!all_selected(replacements)) return std::nullopt;
        }
        parts = multiplied(parts, replacements);
      }
      all.insert(parts.begin(), parts.end());
      if (all.size() > most_products) return std::nullopt;
    }
    return std::vector<Monomial>(all.begin(), all.end());
  }

  // All products of one of each, less those with a feature twice or with too many factors.
  [[nodiscard]] std::vector<Monomial> multiplied(const std::vector<Monomial>& left,
                                                 const std::vector<Monomial>& right) const {
    std::vector<Monomial> products;
    for (const Monomial& a : left) {
      stop_if_asked();
      for (const Monomial& b : right) {
        Monomial product = a;
        product.insert(product.end(), b.begin(), b.end());
        std::sort(product.begin(), product.end());
        const bool repeats =
            std::adjacent_find(product.begin(), product.end(), [&](auto x, auto y) {
              return design_.columns[x].feature == design_.columns[y].feature;
            }) != product.end();
        if (!repeats && product.size() <= static_cast<std::size_t>(depth_)) {
          products.push_back(std::move(product));
        }
      }
    }
    return products;
  }

  void fit_stage(const std::vector<Explanation>& explanations, int stage) {
    std::vector<FitTask> own;
    std::vector<FitTask> in_selected;  // that may take the place of their own ones
    for (const Explanation& explanation : explanations) {
      if (explanation.stage != stage) continue;
      stop_if_asked();
      const DesignFeature& feature = design_.features[explanation.feature];
      for (std::size_t c = feature.first; c < feature.last; ++c) {
        const std::size_t place = c - feature.first;
        std::vector<Monomial> products;
        if (place < explanation.supports.size())
          products = products_of(explanation.supports[place]);
        if (place < explanation.fits.size()) {
          fits_[c] = explanation.fits[place];
          products.clear();
          for (const FittedTerm& term : fits_[c].terms) products.push_back(term.product);
        } else {
          own.push_back({c, closure(products)});
        }
        if (all_selected(products)) continue;
        if (const auto substituted = in_selected_features(products)) {
          in_selected.push_back({c, closure(*substituted)});
        }
      }
    }
    std::vector<Fit> fits = judged(own);
    for (std::size_t t = 0; t < own.size(); ++t) fits_[own[t].target] = std::move(fits[t]);
    fits = judged(in_selected);
    for (std::size_t t = 0; t < in_selected.size(); ++t) {
      Fit& known = fits_[in_selected[t].target];
      if (!(fits[t].left_out <= known.left_out + r2_tolerance)) continue;
      if (fits[t].length() > std::max(most_terms_, known.length())) continue;
      known = std::move(fits[t]);
    }
  }

  [[nodiscard]] std::vector<Fit> judged(const std::vector<FitTask>& tasks) {
    std::vector<Fit> fits = fit_all(products_, tasks, progress_);
    std::vector<std::size_t> targets;
    targets.reserve(tasks.size());
    for (const FitTask& task : tasks) targets.push_back(task.target);
    (void)judge_.judge(targets, fits);
    return fits;
  }

  // Far from zero (means of many deviations) products in original units cancel each other, and an
  // equation that looks exact may be worthless: then its linear part is fitted instead, and where
  // that fails too, the mean is what can be said.
  void mend() {
    std::vector<FitTask> again;
    for (const auto& [target, fit] : fits_) {
      if (fit.r2_fit >= std::max(fit.claimed_r2 - r2_tolerance, 0.0)) continue;
      std::set<Monomial> singles;
      for (const FittedTerm& term : fit.terms) {
        for (const std::uint32_t column : term.product) singles.insert({column});
      }
      again.push_back({target, closure({singles.begin(), singles.end()})});
    }
    std::vector<Fit> linear = judged(again);
    for (std::size_t t = 0; t < again.size(); ++t) {
      Fit& best = fits_[again[t].target];
      if (!(best.r2_fit >= linear[t].r2_fit)) best = std::move(linear[t]);
      if (best.r2_fit >= 0) continue;
      // The mean of the others is off by one part in n more.
      const double others = design_.weight / std::max(design_.weight - 1, 1.0);
      best = {{{design_.columns[again[t].target].mean, {}}},
              0,
              0,
              others * others,
              1 - others * others};
    }
  }

  const Products& products_;
  const Design& design_;
  const std::vector<bool>& selected_;
  int depth_;
  FitJudge& judge_;
  std::size_t most_terms_;
  Progress& progress_;
  std::map<std::size_t, Fit> fits_;  // by design column
};

}  // namespace

Equation written(const Design& design, std::size_t target, const Fit& fit) {
  Equation equation{design.columns[target].name, {}, fit.r2, fit.r2_fit};
  for (const FittedTerm& fitted : fit.terms) {
    Term term{fitted.coefficient, {}, {}};
    for (const std::uint32_t column : fitted.product) {
      term.factors.push_back(design.columns[column].name);
    }
    equation.terms.push_back(std::move(term));
  }
  // As people write it: the constant, which comes first in a fit, stands last.
  if (!equation.terms.empty() && equation.terms.front().factors.empty()) {
    std::rotate(equation.terms.begin(), equation.terms.begin() + 1, equation.terms.end());
  }
  return equation;
}

std::vector<Monomial> products_of(const std::vector<Parity>& support) {
  std::vector<Monomial> products;
  for (const Parity& parity : support) {
    Monomial product(parity.columns().begin(), parity.columns().end());
    std::sort(product.begin(), product.end());
    products.push_back(std::move(product));
  }
  return products;
}

std::vector<std::vector<Equation>> fit_equations(const Products& products,
                                                 const std::vector<bool>& selected, int depth,
                                                 const std::vector<Explanation>& explanations,
                                                 FitJudge& judge, Progress& progress,
                                                 std::size_t most_terms) {
  return EquationFitter(products, selected, depth, judge, most_terms, progress).run(explanations);
}

std::vector<Equation> constant_equations(const Column& column, const DesignFeature& feature) {
  if (column.kind == ColumnKind::numeric) {
    return {{column.name, {{feature.constant_value, {}, {}}}, 1.0, 1.0}};
  }
  return {{fmt::format("{}={}", column.name,
                       column.levels[static_cast<std::size_t>(feature.constant_value)]),
           {{1.0, {}, {}}},
           1.0,
           1.0}};
}

}  // namespace fsieve::equation
