// Subsets that a union ranked in a sample, scored on all rows.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "data/seen_columns.h"
#include "methods/forward/all_rows.h"
#include "methods/forward/function_sums.h"
#include "methods/forward/gram_span.h"
#include "methods/forward/step_functions.h"
#include "methods/forward/step_scores.h"
#include "stats/fold.h"

namespace fsieve::inline methods {
namespace {

// The constant and the functions of a group as a path of one step.
SpanPath path_of(const FunctionSums& sums, std::size_t group, const Functions& functions,
                 const WholeLabel& label) {
  const std::size_t count = functions.size() + 1;
  const std::size_t labels = label.columns();
  std::vector<double> gram(count * count);
  std::vector<double> on_label(count * labels);
  gram[0] = sums.of_span(0, 0);
  for (std::size_t y = 0; y < labels; ++y) on_label[y] = sums.of_span(1 + y, 0);
  for (std::size_t a = 1; a < count; ++a) {
    const double* with_span = sums.with_span(group, a - 1);
    gram[a] = with_span[0];
    std::copy_n(with_span + 1, labels, on_label.data() + a * labels);
    for (std::size_t b = 1; b <= a; ++b) {
      gram[a + b * count] = sums.in_group(group, a - 1, b - 1);
    }
  }
  const std::vector<std::size_t> kept = factor_gram(
      count, gram.data(), count, trivial_product * label.weight(), labels, on_label.data());
  SpanPath path;
  path.ranks = {kept.size()};
  path.factor.resize(kept.size() * kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    path.functions.push_back(kept[k] == 0 ? Function{} : functions[kept[k] - 1]);
    const double* own = on_label.data() + kept[k] * labels;
    path.on_label.insert(path.on_label.end(), own, own + labels);
    for (std::size_t i = k; i < kept.size(); ++i) {
      path.factor[i + k * kept.size()] = gram[kept[i] + kept[k] * count];
    }
  }
  return path;
}

double l2_of(const FunctionSums& sums, std::size_t group, const WholeLabel& label) {
  double sum = 0;
  for (std::size_t k = 0; k < sums.group_size(group); ++k) {
    for (std::size_t y = 0; y < label.columns(); ++y) {
      sum += std::pow(sums.with_span(group, k)[1 + y] / label.weight(), 2);
    }
  }
  return sum;
}

}  // namespace

std::vector<double> AllRows::scores(const SupervisedData& sample,
                                    const std::vector<std::vector<std::size_t>>& subsets,
                                    Score score, Progress& progress) const {
  const SeenColumns columns(design_, *sample.source, false, false);
  std::vector<Functions> groups;
  for (const auto& subset : subsets) {
    StepFunctions functions(columns, 1);
    groups.push_back(functions.take({StepKind::subset, subset}, subset));
  }
  const auto plan = std::make_shared<FunctionPlan>(columns, label_, Functions{{}}, groups);
  const FunctionSums sums = fold(source_, FunctionSums(plan), judging_all_rows, progress);
  std::vector<double> result;
  std::vector<SpanPath> paths;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (score == Score::l2) {
      result.push_back(l2_of(sums, g, label_));
    } else {
      paths.push_back(path_of(sums, g, groups[g], label_));
    }
  }
  if (score == Score::l2) return result;
  const auto score_plan = std::make_shared<ScorePlan>(
      ScorePlan{label_, measure_of(sample.label), std::move(paths), FunctionRows(columns, groups)});
  const StepScores scores = fold(source_, StepScores(score_plan), scoring_all_rows, progress);
  for (std::size_t p = 0; p < groups.size(); ++p) result.push_back(scores.score(p, 0));
  return result;
}

}  // namespace fsieve::methods
