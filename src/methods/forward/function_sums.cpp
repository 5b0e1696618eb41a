#include "methods/forward/function_sums.h"

#include <algorithm>
#include <utility>

#include "base/binary_lists.h"
#include "base/parallel.h"
#include "linalg/blas.h"
#include "source/weights.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

constexpr std::size_t functions_at_once = 64;

void add_to(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += more[k];
}

}  // namespace

FunctionRows::FunctionRows(const SeenColumns& columns, const std::vector<Functions>& all)
    : seen_(columns), place_(columns.size()) {
  for (const Functions& functions : all) {
    for (const Function& function : functions) {
      needed_.insert(needed_.end(), function.begin(), function.end());
    }
  }
  std::sort(needed_.begin(), needed_.end());
  needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
  for (std::size_t k = 0; k < needed_.size(); ++k) place_[needed_[k]] = k;
}

std::vector<double> FunctionRows::columns(const Block& block) const {
  std::vector<double> values(needed_.size() * block.rows);
  seen_.write(block, needed_, values.data());
  return values;
}

void FunctionRows::write(const Function& function, const std::vector<double>& columns,
                         std::size_t rows, const std::vector<double>& roots, double* out) const {
  if (function.empty()) {
    std::fill_n(out, rows, 1.0);
  } else {
    std::copy_n(columns.data() + place_[function[0]] * rows, rows, out);
  }
  for (std::size_t k = 1; k < function.size(); ++k) {
    const double* factor = columns.data() + place_[function[k]] * rows;
    for (std::size_t i = 0; i < rows; ++i) out[i] *= factor[i];
  }
  for (std::size_t i = 0; i < roots.size(); ++i) out[i] *= roots[i];
}

namespace {

std::vector<Functions> together(const Functions& span, const std::vector<Functions>& groups) {
  std::vector<Functions> all = groups;
  all.push_back(span);
  return all;
}

}  // namespace

FunctionPlan::FunctionPlan(const SeenColumns& columns, const WholeLabel& whole, Functions of_span,
                           std::vector<Functions> judged)
    : label(whole),
      span(std::move(of_span)),
      groups(std::move(judged)),
      rows(columns, together(span, groups)) {}

FunctionSums::FunctionSums(std::shared_ptr<const FunctionPlan> plan)
    : plan_(std::move(plan)),
      side_(plan_->span.size() + plan_->label.all_columns()),
      span_(side_ * side_) {
  std::size_t functions = 0;
  std::size_t squares = 0;
  for (const Functions& group : plan_->groups) {
    first_.push_back(functions);
    first_square_.push_back(squares);
    functions += group.size();
    squares += group.size() * group.size();
  }
  with_span_.resize(functions * side_);
  in_group_.resize(squares);
}

void FunctionSums::add(const Block& block) {
  const std::size_t n = block.rows;
  const std::vector<double> columns = plan_->rows.columns(block);
  const RootWeights root_weights(block.weights);
  const std::vector<double> roots(root_weights.values().begin(), root_weights.values().end());
  std::vector<double> left(side_ * n);
  for (std::size_t k = 0; k < plan_->span.size(); ++k) {
    plan_->rows.write(plan_->span[k], columns, n, roots, left.data() + k * n);
  }
  std::vector<double> numbers;
  std::vector<std::size_t> codes;
  plan_->label.read(block, numbers, codes);
  double* label = left.data() + plan_->span.size() * n;
  plan_->label.write_columns(numbers, codes, label);
  for (std::size_t c = 0; c < plan_->label.all_columns(); ++c) root_weights.scale(label + c * n);
  blas::syrk_lower(Op::transpose, side_, n, 1.0, left.data(), n, 1.0, span_.data(), side_);
  add_groups(block, columns, roots, left);
}

// Some groups at a time, whose functions stay in cache.
void FunctionSums::add_groups(const Block& block, const std::vector<double>& columns,
                              const std::vector<double>& roots, const std::vector<double>& left) {
  const std::size_t n = block.rows;
  const std::vector<Functions>& groups = plan_->groups;
  std::vector<std::size_t> parts{0};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t end = first_[g] + groups[g].size();
    if (g > parts.back() && end - first_[parts.back()] > functions_at_once) parts.push_back(g);
  }
  parts.push_back(groups.size());
  in_parallel(parts.size() - 1, [&](std::size_t part) {
    const std::size_t begin = parts[part];
    const std::size_t end = parts[part + 1];
    if (begin == end) return;
    const std::size_t count = first_[end - 1] + groups[end - 1].size() - first_[begin];
    if (count == 0) return;
    std::vector<double> functions(count * n);
    double* own = functions.data();
    for (std::size_t g = begin; g < end; ++g) {
      const std::size_t size = groups[g].size();
      double* const first = own;
      for (const Function& function : groups[g]) {
        plan_->rows.write(function, columns, n, roots, own);
        own += n;
      }
      if (size == 0) continue;
      blas::syrk_lower(Op::transpose, size, n, 1.0, first, n, 1.0,
                       in_group_.data() + first_square_[g], size);
    }
    blas::gemm(Op::transpose, Op::none, side_, count, n, 1.0, left.data(), n, functions.data(), n,
               1.0, with_span_.data() + first_[begin] * side_, side_);
  });
}

void FunctionSums::merge(const FunctionSums& other) {
  add_to(span_, other.span_);
  add_to(with_span_, other.with_span_);
  add_to(in_group_, other.in_group_);
}

void FunctionSums::save(std::ostream& out) const {
  for (const auto* const sums : {&span_, &with_span_, &in_group_}) save_values(out, *sums);
}

void FunctionSums::load(std::istream& in) {
  for (auto* const sums : {&span_, &with_span_, &in_group_}) load_values(in, *sums);
}

std::size_t FunctionSums::bytes() const {
  return (span_.size() + with_span_.size() + in_group_.size()) * sizeof(double);
}

void save_functions(std::ostream& out, const Functions& functions) {
  save_count(out, functions.size());
  for (const Function& function : functions) save_values(out, function);
}

Functions load_functions(std::istream& in) {
  Functions functions;
  load_each(in, [&] { load_list(in, functions.emplace_back()); });
  return functions;
}

void FunctionSums::save_question(std::ostream& out) const {
  plan_->rows.seen().save(out);
  plan_->label.save(out);
  save_functions(out, plan_->span);
  save_count(out, plan_->groups.size());
  for (const Functions& group : plan_->groups) save_functions(out, group);
}

FunctionSums FunctionSums::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const SeenColumns& columns = keep(SeenColumns::load(in));
  const WholeLabel& label = keep(WholeLabel::load(in));
  Functions span = load_functions(in);
  std::vector<Functions> groups;
  load_each(in, [&] { groups.push_back(load_functions(in)); });
  return FunctionSums(
      std::make_shared<FunctionPlan>(columns, label, std::move(span), std::move(groups)));
}

}  // namespace fsieve::methods
