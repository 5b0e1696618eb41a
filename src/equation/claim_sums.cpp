#include "equation/claim_sums.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "base/binary_lists.h"
#include "base/parallel.h"
#include "data/design_binary.h"
#include "fsieve/error.h"
#include "linalg/blas.h"

namespace fsieve::inline equation {
namespace {

using blas::Op;

constexpr std::size_t checked_rows = 512;
// A row with less than this of its own leverage missing determines a coefficient alone. Columns
// that nearly equal each other cost the leverage half of its digits.
constexpr double alone = 1e-6;
// With less than this the others leave ten times their noise in the prediction of it.
constexpr double hardly = 0.1;

// Columns of some rows in original units, each read once.
class Slice {
 public:
  Slice(const Design& design, const std::vector<std::size_t>& columns, const Block& block,
        std::size_t first)
      : rows_(std::min(checked_rows, block.rows - first)), values_(columns.size() * rows_) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      double* const out = values_.data() + k * rows_;
      design.original(block, first, rows_, columns[k], out);
      places_[columns[k]] = out;
    }
    if (!block.weights.empty()) weights_ = block.weights.subspan(first, rows_);
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const double* column(std::size_t c) const { return places_.at(c); }
  [[nodiscard]] double weight(std::size_t i) const { return weights_.empty() ? 1 : weights_[i]; }

 private:
  std::size_t rows_;
  std::vector<double> values_;
  std::map<std::size_t, const double*> places_;
  std::span<const double> weights_;
};

// The scaled products of a task on a slice, and what its equation leaves of the target.
struct Evaluated {
  std::vector<double> values;  // rows x terms
  std::vector<double> residual;
  std::vector<char> in_bulk;
};

Evaluated evaluated(const ClaimTask& task, const Slice& slice) {
  const std::size_t rows = slice.rows();
  const double* target = slice.column(task.claim->target);
  Evaluated result{std::vector<double>(rows * task.terms()),
                   {target, target + rows},
                   std::vector<char>(rows, 1)};
  const auto note_bulk = [&](const double* column, std::size_t k) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (column[i] < task.low[k] || column[i] > task.high[k]) result.in_bulk[i] = 0;
    }
  };
  note_bulk(target, task.terms());
  for (std::size_t k = 0; k < task.terms(); ++k) {
    double* column = result.values.data() + k * rows;
    evaluate(
        task.claim->products[k], [&](std::size_t c) { return slice.column(c); }, rows, column);
    note_bulk(column, k);
    const double coefficient = task.claim->coefficients[k];
    for (std::size_t i = 0; i < rows; ++i) {
      result.residual[i] -= coefficient * column[i];
      column[i] = (column[i] - task.scaling.centre[k]) / task.scaling.scale[k];
    }
  }
  return result;
}

// Gram matrix of the products and their inner products with the residual.
void add_to_fit(const ClaimTask& task, const Slice& slice, double* sums) {
  Evaluated rows = evaluated(task, slice);
  const std::size_t terms = task.terms();
  for (std::size_t i = 0; i < slice.rows(); ++i) {
    const double root = std::sqrt(slice.weight(i));
    if (root == 1) continue;
    rows.residual[i] *= root;
    for (std::size_t k = 0; k < terms; ++k) rows.values[i + k * slice.rows()] *= root;
  }
  blas::syrk_lower(Op::transpose, terms, slice.rows(), 1.0, rows.values.data(), slice.rows(), 1.0,
                   sums, terms);
  blas::gemv(Op::transpose, slice.rows(), terms, 1.0, rows.values.data(), slice.rows(),
             rows.residual.data(), 1.0, sums + terms * terms);
}

// Rows in which all values of an equation are those of the table.
std::vector<char> whole_rows(const ClaimTask& task, const Design& design, const Slice& slice) {
  std::vector<char> rows(slice.rows(), 1);
  const auto note = [&](std::size_t c) {
    const std::optional<double>& filled = design.columns[c].filled;
    if (!filled) return;
    const double* values = slice.column(c);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (values[i] == *filled) rows[i] = 0;
    }
  };
  note(task.claim->target);
  for (const PowerProduct& product : task.claim->products) {
    for (const RaisedColumn& factor : product) note(factor.column);
  }
  return rows;
}

void add_to_measures(const ClaimTask& task, const Design& design, const Slice& slice,
                     double* sums) {
  using enum ClaimSums::Measure;
  const std::vector<char> whole_row = whole_rows(task, design, slice);
  const Evaluated rows = evaluated(task, slice);
  const std::size_t count = slice.rows();
  const std::size_t terms = task.terms();
  std::vector<double> solved(count * terms);
  blas::gemm(Op::none, Op::none, count, terms, terms, 1.0, rows.values.data(), count,
             task.inverse.data(), terms, 0.0, solved.data(), count);
  std::vector<double> leverage(count);
  for (std::size_t k = 0; k < terms; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      leverage[i] += solved[i + k * count] * rows.values[i + k * count];
    }
  }
  const double* target = slice.column(task.claim->target);
  for (std::size_t i = 0; i < count; ++i) {
    const double weight = slice.weight(i);
    if (weight == 0) continue;
    const double left = rows.residual[i];
    const double centred = target[i] - task.mean;
    const double square = weight * centred * centred;
    const double others = 1 - leverage[i] > alone ? left / (1 - leverage[i]) : centred;
    sums[squares] += weight * left * left;
    sums[left_out] += weight * others * others;
    sums[left_out_fourth] += weight * others * others * others * others;
    sums[left_out_second] += square * others * others;
    sums[second] += square;
    sums[fourth] += square * centred * centred;
    if (target[i] == task.typical) sums[typical_rows] += weight;
    if (1 - leverage[i] <= hardly) sums[hardly_told] += square;
    if (whole_row[i] != 0) {
      sums[whole] += weight;
      sums[whole_sum] += weight * centred;
      sums[whole_squares] += square;
      sums[whole_residual] += weight * left * left;
      sums[whole_left_out] += weight * others * others;
    }
    if (rows.in_bulk[i] == 0) continue;
    sums[bulk] += weight;
    sums[bulk_sum] += weight * centred;
    sums[bulk_squares] += square;
    sums[bulk_residual] += weight * left * left;
  }
}

void save_products(std::ostream& out, const std::vector<PowerProduct>& products) {
  save_count(out, products.size());
  for (const PowerProduct& product : products) {
    save_count(out, product.size());
    for (const RaisedColumn& factor : product) {
      save_value(out, factor.column);
      save_value(out, factor.power);
      save_value(out, static_cast<std::uint8_t>(factor.form));
    }
  }
}

Form load_form(std::istream& in) {
  std::uint8_t form = 0;
  load_value(in, form);
  if (form > static_cast<std::uint8_t>(Form::log_of_one_more)) {
    throw Error("a saved equation has a factor of no known form");
  }
  return Form{form};
}

std::vector<PowerProduct> load_products(std::istream& in) {
  std::vector<PowerProduct> products;
  load_each(in, [&] {
    PowerProduct& product = products.emplace_back();
    load_each(in, [&] {
      RaisedColumn& factor = product.emplace_back();
      load_value(in, factor.column);
      load_value(in, factor.power);
      factor.form = load_form(in);
    });
  });
  return products;
}

// What a part of the table must know of a task to form its sums.
void save_task(std::ostream& out, const ClaimTask& task) {
  save_value(out, task.claim->target);
  save_products(out, task.claim->products);
  save_values(out, task.claim->coefficients);
  for (const std::vector<double>* const values :
       {&task.scaling.centre, &task.scaling.scale, &task.low, &task.high, &task.inverse}) {
    save_values(out, *values);
  }
  save_value(out, task.mean);
  save_value(out, task.typical);
}

ClaimTask load_task(std::istream& in, Keep& keep) {
  Claim claim;
  load_value(in, claim.target);
  claim.products = load_products(in);
  load_list(in, claim.coefficients);
  ClaimTask task;
  for (std::vector<double>* const values :
       {&task.scaling.centre, &task.scaling.scale, &task.low, &task.high, &task.inverse}) {
    load_list(in, *values);
  }
  load_value(in, task.mean);
  load_value(in, task.typical);
  task.claim = &keep(std::move(claim));
  return task;
}

}  // namespace

ClaimSums::ClaimSums(const Design& design, std::span<const ClaimTask> tasks, bool fit)
    : design_(&design), tasks_(tasks), fit_(fit) {
  std::set<std::size_t> columns;
  std::size_t size = 0;
  for (const ClaimTask& task : tasks) {
    offsets_.push_back(size);
    size += fit ? fit_size(task) : measures;
    columns.insert(task.claim->target);
    for (const PowerProduct& product : task.claim->products) {
      for (const RaisedColumn& factor : product) columns.insert(factor.column);
    }
  }
  columns_.assign(columns.begin(), columns.end());
  sums_.resize(size);
}

void ClaimSums::add(const Block& block) {
  for (std::size_t first = 0; first < block.rows; first += checked_rows) {
    const Slice slice(*design_, columns_, block, first);
    in_parallel(tasks_.size(), [&](std::size_t t) {
      double* const own = sums_.data() + offsets_[t];
      fit_ ? add_to_fit(tasks_[t], slice, own) : add_to_measures(tasks_[t], *design_, slice, own);
    });
  }
}

void ClaimSums::merge(const ClaimSums& other) {
  for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += other.sums_[k];
}

void ClaimSums::save(std::ostream& out) const { save_values(out, sums_); }
void ClaimSums::load(std::istream& in) { load_values(in, sums_); }

void ClaimSums::save_question(std::ostream& out) const {
  save_design(out, *design_);
  save_flag(out, fit_);
  save_count(out, tasks_.size());
  for (const ClaimTask& task : tasks_) save_task(out, task);
}

ClaimSums ClaimSums::from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
  const Design& design = keep(load_design(in));
  const bool fit = load_flag(in);
  std::vector<ClaimTask> tasks;
  load_each(in, [&] { tasks.push_back(load_task(in, keep)); });
  return {design, keep(std::move(tasks)), fit};
}

}  // namespace fsieve::equation
