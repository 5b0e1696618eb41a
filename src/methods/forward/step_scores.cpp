#include "methods/forward/step_scores.h"

#include <algorithm>
#include <cmath>

#include "base/binary_lists.h"
#include "basis/parity_binary.h"
#include "linalg/blas.h"
#include "source/weights.h"

namespace fsieve::inline methods {

StepScores::StepScores(std::shared_ptr<const ScorePlan> plan) : plan_(std::move(plan)) {
  for (const SpanPath& path : plan_->paths) {
    first_.push_back(sums_.size());
    sums_.resize(sums_.size() + path.ranks.size(),
                 ScoreSum(plan_->measure, plan_->label.weight(), plan_->label.mean()));
  }
  peaks_.resize(sums_.size());
}

void StepScores::add(const Block& block) {
  const std::size_t n = block.rows;
  const WholeLabel& label = plan_->label;
  const std::size_t labels = label.columns();
  const std::vector<double> columns = plan_->rows.columns(block);
  const RootWeights root_weights(block.weights);
  const std::vector<double> roots(root_weights.values().begin(), root_weights.values().end());
  std::vector<double> numbers;
  std::vector<std::size_t> codes;
  label.read(block, numbers, codes);
  std::vector<double> all_columns(label.all_columns() * n);
  label.write_columns(numbers, codes, all_columns.data());
  for (std::size_t c = 0; c < labels; ++c) root_weights.scale(all_columns.data() + c * n);
  for (std::size_t p = 0; p < plan_->paths.size(); ++p) {
    const SpanPath& path = plan_->paths[p];
    const std::size_t rank = path.functions.size();
    std::vector<double> functions(rank * n);
    for (std::size_t k = 0; k < rank; ++k) {
      plan_->rows.write(path.functions[k], columns, n, roots, functions.data() + k * n);
    }
    blas::solve_right_transposed(n, rank, path.factor.data(), rank, functions.data(), n);
    std::vector<double> residual(all_columns.begin(),
                                 all_columns.begin() + static_cast<std::ptrdiff_t>(labels * n));
    std::vector<double> leverage(n);
    std::size_t done = 0;
    for (std::size_t s = 0; s < path.ranks.size(); ++s) {
      double& peak = peaks_[first_[p] + s];
      for (; done < path.ranks[s]; ++done) {
        const double* function = functions.data() + done * n;
        for (std::size_t i = 0; i < n; ++i) {
          const double square = function[i] * function[i];
          leverage[i] += square;
          peak = std::max(peak, roots.empty()    ? square
                                : roots[i] > 0.0 ? square / (roots[i] * roots[i])
                                                 : 0.0);
        }
        for (std::size_t y = 0; y < labels; ++y) {
          blas::axpy(n, -path.on_label[done * labels + y], function, residual.data() + y * n);
        }
      }
      ScoreSum& sum = sums_[first_[p] + s];
      for (std::size_t i = 0; i < n; ++i) {
        const double weight = block.weights.empty() ? 1 : block.weights[i];
        if (!(weight > 0)) continue;
        sum.add(weight, numbers[i], codes.empty() ? 0 : codes[i], residual.data() + i, labels, n,
                leverage[i]);
      }
    }
  }
}

void StepScores::merge(const StepScores& other) {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    sums_[k].merge(other.sums_[k]);
    peaks_[k] = std::max(peaks_[k], other.peaks_[k]);
  }
}

void StepScores::save(std::ostream& out) const {
  for (const ScoreSum& sum : sums_) {
    save_value(out, sum.sums().first);
    save_value(out, sum.sums().second);
  }
  save_values(out, peaks_);
}

void StepScores::load(std::istream& in) {
  for (ScoreSum& sum : sums_) {
    std::pair<double, double> sums;
    load_value(in, sums.first);
    load_value(in, sums.second);
    sum.set_sums(sums);
  }
  load_values(in, peaks_);
}

std::size_t StepScores::bytes() const { return sums_.size() * (sizeof(ScoreSum) + sizeof(double)); }

void StepScores::save_question(std::ostream& out) const {
  plan_->rows.seen().save(out);
  plan_->label.save(out);
  save_value(out, static_cast<std::uint32_t>(plan_->measure));
  save_count(out, plan_->paths.size());
  for (const SpanPath& path : plan_->paths) {
    save_functions(out, path.functions);
    save_values(out, path.factor);
    save_values(out, path.on_label);
    save_columns(out, path.ranks);
  }
}

StepScores StepScores::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const SeenColumns& columns = keep(SeenColumns::load(in));
  const WholeLabel& label = keep(WholeLabel::load(in));
  std::uint32_t measure = 0;
  load_value(in, measure);
  std::vector<SpanPath> paths;
  std::vector<Functions> functions;
  load_each(in, [&] {
    SpanPath& path = paths.emplace_back();
    path.functions = load_functions(in);
    load_list(in, path.factor);
    load_list(in, path.on_label);
    path.ranks = load_columns(in);
    functions.push_back(path.functions);
  });
  return StepScores(std::make_shared<ScorePlan>(ScorePlan{
      label, static_cast<Measure>(measure), std::move(paths), FunctionRows(columns, functions)}));
}

}  // namespace fsieve::methods
