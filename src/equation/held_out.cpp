#include "equation/held_out.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "base/binary_lists.h"
#include "base/parallel.h"
#include "data/design_binary.h"
#include "equation/near_twins.h"
#include "equation/small_solve.h"
#include "linalg/blas.h"
#include "stats/f_tail.h"
#include "stats/fold.h"

namespace fsieve::inline equation {
namespace {

using blas::Op;

constexpr std::size_t checked_rows = 512;
// Sums of this many claims are formed in one pass over the rows.
constexpr std::size_t pass_values = std::size_t{4} << 20U;
// A row with less than this of its own leverage missing determines a coefficient alone. Columns
// that nearly equal each other cost the leverage half of its digits.
constexpr double alone = 1e-6;
// With less than this the others leave ten times their noise in the prediction of it.
constexpr double hardly = 0.1;
// What leaves more than this goes in no case.
constexpr double near = 0.5;
constexpr double outside_bulk = 0.025;  // on either side
// A relation that only few rows carry explains nothing of the others.
constexpr double most_of_bulk = 0.5;
// Rows per carrier where values are normal: their fourth moment is 3.
constexpr double normal_rows = 3;

// A claim with what its sums need.
struct Task {
  const Claim* claim = nullptr;
  Scaling scaling;
  std::vector<double> low;  // the bulk lies between; the target's come last
  std::vector<double> high;
  double mean = 0;     // of the target
  double typical = 0;  // its value in the middle
  double arrangements = 0;
  std::vector<double> inverse;  // of the Gram matrix, once it is known

  [[nodiscard]] std::size_t terms() const { return claim->products.size(); }
};

// Where the sums of a task are, from its first on. The first pass fills those of the fit, the
// second the others.
enum Measure : std::size_t {
  squares,   // of the residual
  left_out,  // of the residual of each row when the others predict it
  left_out_fourth,
  left_out_second,  // products of the squares of both
  second,           // powers of the target less its mean
  fourth,
  typical_rows,
  hardly_told,
  bulk,  // rows, sums of the target less its mean there, and squares
  bulk_sum,
  bulk_squares,
  bulk_residual,
  measures
};

std::size_t fit_sums(const Task& task) { return task.terms() * (task.terms() + 1); }

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

Evaluated evaluated(const Task& task, const Slice& slice) {
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
void add_to_fit(const Task& task, const Slice& slice, double* sums) {
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

void add_to_measures(const Task& task, const Slice& slice, double* sums) {
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
    }
  }
}

std::vector<PowerProduct> load_products(std::istream& in) {
  std::vector<PowerProduct> products;
  load_each(in, [&] {
    PowerProduct& product = products.emplace_back();
    load_each(in, [&] {
      RaisedColumn& factor = product.emplace_back();
      load_value(in, factor.column);
      load_value(in, factor.power);
    });
  });
  return products;
}

// What a part of the table must know of a task to form its sums.
void save_task(std::ostream& out, const Task& task) {
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

Task load_task(std::istream& in, Keep& keep) {
  Claim claim;
  load_value(in, claim.target);
  claim.products = load_products(in);
  load_list(in, claim.coefficients);
  Task task;
  for (std::vector<double>* const values :
       {&task.scaling.centre, &task.scaling.scale, &task.low, &task.high, &task.inverse}) {
    load_list(in, *values);
  }
  load_value(in, task.mean);
  load_value(in, task.typical);
  task.claim = &keep(std::move(claim));
  return task;
}

// The sums of all claims.
class ClaimSums {
 public:
  ClaimSums(const Design& design, std::span<const Task> tasks, bool fit)
      : design_(&design), tasks_(tasks), fit_(fit) {
    std::set<std::size_t> columns;
    std::size_t size = 0;
    for (const Task& task : tasks) {
      offsets_.push_back(size);
      size += fit ? fit_sums(task) : measures;
      columns.insert(task.claim->target);
      for (const PowerProduct& product : task.claim->products) {
        for (const RaisedColumn& factor : product) columns.insert(factor.column);
      }
    }
    columns_.assign(columns.begin(), columns.end());
    sums_.resize(size);
  }

  void add(const Block& block) {
    for (std::size_t first = 0; first < block.rows; first += checked_rows) {
      const Slice slice(*design_, columns_, block, first);
      in_parallel(tasks_.size(), [&](std::size_t t) {
        double* const own = sums_.data() + offsets_[t];
        fit_ ? add_to_fit(tasks_[t], slice, own) : add_to_measures(tasks_[t], slice, own);
      });
    }
  }
  void merge(const ClaimSums& other) {
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += other.sums_[k];
  }
  void save(std::ostream& out) const { save_values(out, sums_); }
  void load(std::istream& in) { load_values(in, sums_); }
  [[nodiscard]] std::size_t bytes() const { return sums_.size() * sizeof(double); }
  [[nodiscard]] const double* of(std::size_t t) const { return sums_.data() + offsets_[t]; }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "claims";
  void save_question(std::ostream& out) const {
    save_design(out, *design_);
    save_flag(out, fit_);
    save_count(out, tasks_.size());
    for (const Task& task : tasks_) save_task(out, task);
  }
  static ClaimSums from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
    const Design& design = keep(load_design(in));
    const bool fit = load_flag(in);
    std::vector<Task> tasks;
    load_each(in, [&] { tasks.push_back(load_task(in, keep)); });
    return {design, keep(std::move(tasks)), fit};
  }

 private:
  const Design* design_;
  std::span<const Task> tasks_;
  bool fit_;
  std::vector<std::size_t> columns_;
  std::vector<std::size_t> offsets_;
  std::vector<double> sums_;
};

// Bounds of the bulk of some values.
void note_bounds(std::vector<double> values, Task& task) {
  const auto skip = static_cast<std::size_t>(outside_bulk * static_cast<double>(values.size()));
  const auto at = [&](std::size_t k) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k), values.end());
    return values[k];
  };
  task.low.push_back(at(skip));
  task.high.push_back(at(values.size() - 1 - skip));
}

double log_factorial(double count) { return std::lgamma(count + 1); }

// Of the target: its value in the middle, and in how many ways its values can be arranged.
void describe_target(std::vector<double> values, Task& task) {
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

Task task_of(const Claim& claim, const Design& design, const Sheet& sheet) {
  Task task;
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
void refine(Task& task, const double* sums, Claim& claim) {
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
    if (product.size() > 1 || (product.size() == 1 && product[0].power != 1)) return false;
    columns += product.size();
  }
  return columns == 1;
}

HeldOutFit judged(const Task& task, const Design& design, const double* sums) {
  HeldOutFit result;
  result.copy = names_one_column(*task.claim);
  const double deviation = design.columns[task.claim->target].deviation;
  const double total = design.weight * deviation * deviation;
  result.left = sums[squares] / total;
  result.left_out = sums[left_out] / total;
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
void ask_near_twins(const std::vector<Task>& tasks, const Sheet& sheet,
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

double log_tail(double left, double terms, double rows) {
  const double freedom = rows - terms - 1;
  if (freedom < 1) return 0;
  return log_f_tail((1 - left) / terms / std::max(left / freedom, 1e-300), terms, freedom);
}

double rows_by_values(const HeldOutFit& judged, double rows) {
  return std::max(judged.carriers, telling_rows(judged, judged.varied * rows));
}

}  // namespace

std::vector<HeldOutFit> held_out(const Source& source, const Design& design, const Sheet& sheet,
                                 std::vector<Claim>& claims, Progress& progress) {
  std::vector<HeldOutFit> results;
  std::vector<Task> tasks(claims.size());
  in_parallel(claims.size(), [&](std::size_t t) { tasks[t] = task_of(claims[t], design, sheet); });
  for (std::size_t begin = 0; begin < tasks.size();) {
    std::size_t end = begin;
    for (std::size_t size = 0; end < tasks.size() && size < pass_values; ++end) {
      size += fit_sums(tasks[end]);
    }
    const std::span<Task> part(tasks.data() + begin, end - begin);
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

double varied_share(double rows, double usual_rows) {
  return 2 * usual_rows > rows ? (rows - usual_rows) / usual_rows : 1;
}

double telling_rows(const HeldOutFit& judged, double rows) {
  return std::min(rows, normal_rows * judged.carriers);
}

double showing_rows(const HeldOutFit& judged, double rows) {
  return std::min(rows_by_values(judged, rows), 1 / judged.by_one_row);
}

bool has_near_twin(const HeldOutFit& judged, double rows) {
  return judged.by_one_row * rows_by_values(judged, rows) > 2;
}

// Rows that carry nothing say nothing, and no evidence is stronger than the number of columns that
// the same values could have made. Rows without outliers are evidence of their own.
double log_chance(const HeldOutFit& judged, double terms, double rows) {
  const double telling = telling_rows(judged, rows);
  double chance = log_tail(judged.left, terms, telling);
  if (judged.bulk_rows > 0) {
    const double in_bulk = log_tail(judged.bulk_left, terms, std::min(rows, judged.bulk_rows));
    chance = std::min(chance, in_bulk);
  }
  return std::max(chance, -judged.arrangements);
}

bool holds_in_bulk(const HeldOutFit& judged) {
  return judged.bulk_rows == 0 || judged.bulk_left <= most_of_bulk;
}

}  // namespace fsieve::equation
