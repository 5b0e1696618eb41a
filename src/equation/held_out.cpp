#include "equation/held_out.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/log_gamma.h"
#include "base/parallel.h"
#include "equation/claim_sums.h"
#include "equation/near_twins.h"
#include "equation/small_solve.h"
#include "stats/fold.h"

namespace fsieve::inline equation {
namespace {

// Sums of this many claims are formed in one pass over the rows.
constexpr std::size_t pass_values = std::size_t{4} << 20U;
// What leaves more than this goes in no case.
constexpr double near = 0.5;
constexpr double outside_bulk = 0.025;  // on either side

// Bounds of the bulk of some values.
void note_bounds(std::vector<double> values, ClaimTask& task) {
  const auto skip = static_cast<std::size_t>(outside_bulk * static_cast<double>(values.size()));
  const auto at = [&](std::size_t k) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k), values.end());
    return values[k];
  };
  task.low.push_back(at(skip));
  task.high.push_back(at(values.size() - 1 - skip));
}

// Of the target: its value in the middle, and in how many ways its values can be arranged.
void describe_target(std::vector<double> values, ClaimTask& task) {
  std::sort(values.begin(), values.end());
  task.typical = values[values.size() / 2];
  task.arrangements = log_factorial(static_cast<double>(values.size()));
  std::size_t different = 0;
  for (std::size_t begin = 0; begin < values.size(); ++different) {
    std::size_t end = begin + 1;
    while (end < values.size() && values[end] == values[begin]) ++end;
    task.arrangements -= log_factorial(static_cast<double>(end - begin));
    begin = end;
  }
  // Of real numbers the digits are evidence, not only the places.
  if (2 * different > values.size()) task.arrangements = std::numeric_limits<double>::infinity();
}

ClaimTask task_of(const Claim& claim, const Design& design, const Sheet& sheet) {
  ClaimTask task;
  task.claim = &claim;
  task.mean = design.columns[claim.target].mean;
  const std::vector<double> values = values_on(sheet, claim);
  task.scaling = scaling_of(claim, sheet, values);
  for (std::size_t k = 0; k < claim.products.size(); ++k) {
    const double* own = values.data() + k * sheet.rows;
    note_bounds({own, own + sheet.rows}, task);
  }
  const double* target = sheet.column(claim.target);
  note_bounds({target, target + sheet.rows}, task);
  describe_target({target, target + sheet.rows}, task);
  return task;
}

// The step to the least squares.
void refine(ClaimTask& task, const double* sums, Claim& claim) {
  const std::size_t terms = task.terms();
  const SmallFactor factor({sums, sums + terms * terms}, terms);
  std::vector<double> step(sums + terms * terms, sums + terms * (terms + 1));
  factor.solve(step.data());
  task.inverse = factor.inverse();
  add_step(task.scaling, step, claim);
}

// What is left is a ratio of two sums over rows; a row's part in its logarithm is the share that
// the row has in the one less its share in the other.
double spread_of(const double* sums) {
  using enum ClaimSums::Measure;
  if (!(sums[left_out] > 0)) return 0;
  const double left = sums[left_out_fourth] / sums[left_out] / sums[left_out];
  const double target = sums[fourth] / sums[second] / sums[second];
  const double both = sums[left_out_second] / sums[left_out] / sums[second];
  const double spread = left + target - 2 * both;
  return std::isfinite(spread) ? std::max(spread, 0.0) : 0;
}

bool names_one_column(const Claim& claim) {
  std::size_t columns = 0;
  for (const PowerProduct& product : claim.products) {
    if (product.size() > 1 || (product.size() == 1 && !product[0].plain())) return false;
    columns += product.size();
  }
  return columns == 1;
}

// An equation that holds by values that were filled in holds for them only: where none was, it must
// leave no more.
void judge_whole_rows(const ClaimTask& task, const Design& design, const double* sums,
                      HeldOutFit& result) {
  using enum ClaimSums::Measure;
  const auto filled = [&](std::size_t c) { return design.columns[c].filled.has_value(); };
  bool any = filled(task.claim->target);
  for (const PowerProduct& product : task.claim->products) {
    any = any || std::any_of(product.begin(), product.end(),
                             [&](const RaisedColumn& factor) { return filled(factor.column); });
  }
  if (!any) return;
  const double rows = sums[whole];
  const double spread =
      rows > 0 ? sums[whole_squares] - sums[whole_sum] * sums[whole_sum] / rows : 0;
  const double deviation = design.columns[task.claim->target].deviation;
  if (!(spread > 1e-6 * design.weight * deviation * deviation)) {
    result.left = 1;
    result.left_out = 1;
    return;
  }
  result.left = std::max(result.left, sums[whole_residual] / spread);
  result.left_out = std::max(result.left_out, sums[whole_left_out] / spread);
}

HeldOutFit judged(const ClaimTask& task, const Design& design, const double* sums) {
  using enum ClaimSums::Measure;
  HeldOutFit result;
  result.copy = names_one_column(*task.claim);
  const double deviation = design.columns[task.claim->target].deviation;
  const double total = design.weight * deviation * deviation;
  result.left = sums[squares] / total;
  result.left_out = sums[left_out] / total;
  judge_whole_rows(task, design, sums, result);
  result.spread = spread_of(sums);
  result.carriers = sums[second] * sums[second] / sums[fourth];
  const double others = design.weight - sums[typical_rows];
  result.varied = varied_share(design.weight, sums[typical_rows]);
  result.arrangements =
      std::max(task.arrangements, log_factorial(design.weight) - log_factorial(sums[typical_rows]) -
                                      log_factorial(others));
  result.hardly_told = sums[hardly_told] / sums[second];
  if (!(sums[bulk] > 0)) return result;
  const double spread = sums[bulk_squares] - sums[bulk_sum] * sums[bulk_sum] / sums[bulk];
  if (!(spread > 1e-6 * total)) return result;
  result.bulk_rows = sums[bulk];
  result.bulk_left = sums[bulk_residual] / spread;
  return result;
}

// Of targets that are the usual value in most rows, and next to explained.
void ask_near_twins(const std::vector<ClaimTask>& tasks, const Sheet& sheet,
                    std::vector<HeldOutFit>& results) {
  std::vector<RareColumn> columns;
  std::vector<std::size_t> places;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (!(results[t].varied < 1 && results[t].left_out <= near)) continue;
    columns.push_back({tasks[t].claim->target, tasks[t].typical});
    places.push_back(t);
  }
  const std::vector<double> shares = left_by_one_row(sheet, columns);
  for (std::size_t k = 0; k < places.size(); ++k) results[places[k]].by_one_row = shares[k];
}

}  // namespace

std::vector<HeldOutFit> held_out(const Source& source, const Design& design, const Sheet& sheet,
                                 std::vector<Claim>& claims, Progress& progress) {
  std::vector<HeldOutFit> results;
  std::vector<ClaimTask> tasks(claims.size());
  in_parallel(claims.size(), [&](std::size_t t) { tasks[t] = task_of(claims[t], design, sheet); });
  for (std::size_t begin = 0; begin < tasks.size();) {
    std::size_t end = begin;
    for (std::size_t size = 0; end < tasks.size() && size < pass_values; ++end) {
      size += ClaimSums::fit_size(tasks[end]);
    }
    const std::span<ClaimTask> part(tasks.data() + begin, end - begin);
    const ClaimSums fits =
        fold(source, ClaimSums(design, part, true), "fitting equations", progress);
    in_parallel(part.size(),
                [&](std::size_t t) { refine(part[t], fits.of(t), claims[begin + t]); });
    const ClaimSums measured =
        fold(source, ClaimSums(design, part, false), "checking equations", progress);
    for (std::size_t t = 0; t < part.size(); ++t) {
      results.push_back(judged(part[t], design, measured.of(t)));
      part[t].inverse.clear();
    }
    begin = end;
  }
  ask_near_twins(tasks, sheet, results);
  return results;
}

}  // namespace fsieve::equation
