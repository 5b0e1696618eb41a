#include "relations/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/binary.h"
#include "relations/small_solve.h"
#include "stats/f_tail.h"
#include "stats/fold.h"

namespace fsieve::relations {
namespace {

constexpr double level = 0.01;
// A relation that only few rows carry explains nothing of the others.
constexpr double least_of_bulk = 0.5;
constexpr double outside_bulk = 0.025;  // on either side
// Norms below are rounding.
constexpr double exact_norm = 1e-9;

// Values of the products on some rows, times the coefficients or as they are.
template <class Columns>
void evaluate(const Product& product, const Columns& columns, std::size_t rows, double* out) {
  std::fill_n(out, rows, 1.0);
  for (const Factor& factor : product) {
    const double* values = columns(factor.column);
    if (factor.power == 1) {
      for (std::size_t i = 0; i < rows; ++i) out[i] *= values[i];
    } else {
      for (std::size_t i = 0; i < rows; ++i) out[i] *= raised(values[i], factor.power);
    }
  }
}

// How the products of a relation are scaled for its normal equations.
struct Scaling {
  std::vector<double> centre;  // 0 without a constant, and of the constant itself
  std::vector<double> scale;
  std::vector<double> low;  // the bulk lies between; the target's come last
  std::vector<double> high;
};

bool has_constant(const Relation& relation) {
  return std::any_of(relation.products.begin(), relation.products.end(),
                     [](const Product& product) { return product.empty(); });
}

std::vector<double> values_on(const Sheet& sheet, const Product& product) {
  std::vector<double> values(sheet.rows);
  evaluate(
      product, [&](std::uint32_t c) { return sheet.column(c); }, sheet.rows, values.data());
  return values;
}

Scaling scaling_of(const Sheet& sheet, const Relation& relation, bool bounds) {
  Scaling scaling;
  const bool centred = has_constant(relation);
  const auto n = static_cast<double>(sheet.rows);
  const auto note_bounds = [&](std::vector<double> values) {
    if (!bounds) return;
    const auto skip = static_cast<std::size_t>(outside_bulk * n);
    const auto at = [&](std::size_t k) {
      std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k),
                       values.end());
      return values[k];
    };
    scaling.low.push_back(at(skip));
    scaling.high.push_back(at(sheet.rows - 1 - skip));
  };
  for (const Product& product : relation.products) {
    std::vector<double> values = values_on(sheet, product);
    double mean = 0;
    for (const double value : values) mean += value / n;
    if (!centred || product.empty()) mean = 0;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean) / n;
    const double scale = std::sqrt(squares);
    scaling.centre.push_back(mean);
    scaling.scale.push_back(std::isfinite(scale) && scale > 0 ? scale : 1);
    note_bounds(std::move(values));
  }
  note_bounds({sheet.column(relation.target), sheet.column(relation.target) + sheet.rows});
  return scaling;
}

// Solutions of the scaled problem belong to scaled products; this undoes it.
void add_solution(const Scaling& scaling, const std::vector<double>& step, Relation& relation) {
  double shift = 0;
  std::size_t constant = relation.products.size();
  for (std::size_t k = 0; k < relation.products.size(); ++k) {
    const double change = step[k] / scaling.scale[k];
    relation.coefficients[k] += change;
    shift += change * scaling.centre[k];
    if (relation.products[k].empty()) constant = k;
  }
  if (constant < relation.products.size()) relation.coefficients[constant] -= shift;
}

// The sums over rows of one relation.
struct Sums {
  std::vector<double> gram;     // of the scaled products, both triangles
  std::vector<double> against;  // their inner products with the residual
  double squares = 0;           // of the residual
  double left_out = 0;          // of the residual of each row when the others predict it
  double bulk = 0;              // rows in the bulk
  double bulk_sum = 0;          // of the target less its mean there, and squares
  double bulk_squares = 0;
  double bulk_residual = 0;
};

struct Task {
  const Relation* relation;
  Scaling scaling;
  double mean = 0;              // of the target
  std::vector<double> inverse;  // of the Gram matrix, once it is known
};

template <class Columns>
void add_rows(const Task& task, const Columns& columns, const double* weights, std::size_t rows,
              Sums& sums) {
  const Relation& relation = *task.relation;
  const std::size_t terms = relation.products.size();
  std::vector<double> values(rows * terms);
  std::vector<double> residual(columns(relation.target), columns(relation.target) + rows);
  std::vector<char> bulk(rows, 1);
  const auto note_bulk = [&](const double* column, std::size_t k) {
    for (std::size_t i = 0; i < rows && !task.scaling.low.empty(); ++i) {
      if (column[i] < task.scaling.low[k] || column[i] > task.scaling.high[k]) bulk[i] = 0;
    }
  };
  note_bulk(residual.data(), terms);
  for (std::size_t k = 0; k < terms; ++k) {
    double* column = values.data() + k * rows;
    evaluate(relation.products[k], columns, rows, column);
    note_bulk(column, k);
    const double coefficient = relation.coefficients[k];
    for (std::size_t i = 0; i < rows; ++i) {
      residual[i] -= coefficient * column[i];
      column[i] = (column[i] - task.scaling.centre[k]) / task.scaling.scale[k];
    }
  }
  std::vector<double> row(terms);
  const double* target = columns(relation.target);
  for (std::size_t i = 0; i < rows; ++i) {
    const double weight = weights == nullptr ? 1 : weights[i];
    if (weight == 0) continue;
    for (std::size_t k = 0; k < terms; ++k) row[k] = values[i + k * rows];
    const double left = residual[i];
    sums.squares += weight * left * left;
    if (task.inverse.empty()) {
      for (std::size_t k = 0; k < terms; ++k) {
        sums.against[k] += weight * row[k] * left;
        for (std::size_t l = 0; l <= k; ++l) sums.gram[k + l * terms] += weight * row[k] * row[l];
      }
      continue;
    }
    double leverage = 0;
    for (std::size_t k = 0; k < terms; ++k) {
      double solved = 0;
      for (std::size_t l = 0; l < terms; ++l) solved += task.inverse[l + k * terms] * row[l];
      leverage += solved * row[k];
    }
    const double alone = left / std::max(1 - leverage, 1e-6);
    sums.left_out += weight * alone * alone;
    if (bulk[i] == 0) continue;
    const double centred = target[i] - task.mean;
    sums.bulk += weight;
    sums.bulk_sum += weight * centred;
    sums.bulk_squares += weight * centred * centred;
    sums.bulk_residual += weight * left * left;
  }
}

Sums empty_sums(const Relation& relation) {
  Sums sums;
  sums.gram.resize(relation.products.size() * relation.products.size());
  sums.against.resize(relation.products.size());
  return sums;
}

// The sums of all relations, block by block.
class RelationSums {
 public:
  RelationSums(const Design& design, const std::vector<Task>& tasks)
      : design_(&design), tasks_(&tasks) {
    for (const Task& task : tasks) sums_.push_back(empty_sums(*task.relation));
  }

  void add(const Block& block) {
    std::map<std::uint32_t, std::vector<double>> read;
    const auto columns = [&](std::uint32_t c) -> const double* {
      auto& values = read[c];
      if (values.empty()) {
        values.resize(block.rows);
        design_->original(block, 0, block.rows, c, values.data());
      }
      return values.data();
    };
    const double* weights = block.weights.empty() ? nullptr : block.weights.data();
    for (std::size_t t = 0; t < tasks_->size(); ++t) {
      add_rows((*tasks_)[t], columns, weights, block.rows, sums_[t]);
    }
  }

  void merge(const RelationSums& other) {
    for (std::size_t t = 0; t < sums_.size(); ++t) {
      each_pair(sums_[t], other.sums_[t], [](double& into, double from) { into += from; });
    }
  }
  void save(std::ostream& out) const {
    for (const Sums& sums : sums_) {
      Sums copy = sums;
      each_pair(copy, sums, [&](double&, double value) { save_value(out, value); });
    }
  }
  void load(std::istream& in) {
    for (Sums& sums : sums_) {
      const Sums shape = sums;
      each_pair(sums, shape, [&](double& value, double) { load_value(in, value); });
    }
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t count = 0;
    for (const Sums& sums : sums_) count += sums.gram.size() + sums.against.size() + 6;
    return count * sizeof(double);
  }
  [[nodiscard]] const Sums& sums(std::size_t t) const { return sums_[t]; }

 private:
  template <class Body>
  static void each_pair(Sums& a, const Sums& b, const Body& body) {
    for (std::size_t k = 0; k < a.gram.size(); ++k) body(a.gram[k], b.gram[k]);
    for (std::size_t k = 0; k < a.against.size(); ++k) body(a.against[k], b.against[k]);
    body(a.squares, b.squares);
    body(a.left_out, b.left_out);
    body(a.bulk, b.bulk);
    body(a.bulk_sum, b.bulk_sum);
    body(a.bulk_squares, b.bulk_squares);
    body(a.bulk_residual, b.bulk_residual);
  }

  const Design* design_;
  const std::vector<Task>* tasks_;
  std::vector<Sums> sums_;
};

// One or two steps to the least squares on the sheet; what is left of the target, squared.
double solve_on(const Sheet& sheet, Relation& relation) {
  relation.coefficients.assign(relation.products.size(), 0);
  Task task{&relation, scaling_of(sheet, relation, false), 0, {}};
  const auto columns = [&](std::uint32_t c) { return sheet.column(c); };
  std::vector<double> weights;
  for (const double root : sheet.roots) weights.push_back(root * root);
  const double* given = weights.empty() ? nullptr : weights.data();
  Sums sums;
  constexpr int steps = 3;  // the second repairs what the first loses by squares; the last measures
  for (int step = 0; step < steps; ++step) {
    sums = empty_sums(relation);
    add_rows(task, columns, given, sheet.rows, sums);
    if (step + 1 == steps) break;
    SmallFactor(sums.gram, relation.products.size()).solve(sums.against.data());
    add_solution(task.scaling, sums.against, relation);
  }
  return sums.squares;
}

double total_squares(const Sheet& sheet, std::uint32_t column) {
  std::vector<double> deviation;
  const double* values = sheet.column(column);
  (void)standardised(sheet, {values, values + sheet.rows}, deviation);
  return static_cast<double>(sheet.rows) * deviation[0] * deviation[0];
}

double log_chance(double r2, double terms, double rows) {
  const double freedom = rows - terms - 1;
  if (freedom < 1) return 0;
  return log_f_tail(r2 / terms / std::max((1 - r2) / freedom, 1e-300), terms, freedom);
}

}  // namespace

double fit(const Sheet& sheet, Relation& relation) {
  const double total = total_squares(sheet, relation.target);
  std::erase_if(relation.products, [](const Product& product) { return product.empty(); });
  Relation with = relation;
  with.products.emplace_back();
  const double left = solve_on(sheet, with) / total;
  const double without = relation.products.empty() ? 1 : solve_on(sheet, relation) / total;
  constexpr double telling = 12;  // F of the constant
  const bool needless = std::isfinite(without) &&
                        (without <= exact_norm * exact_norm ||
                         (without - left) * static_cast<double>(sheet.rows) <= telling * left);
  if (!needless) relation = std::move(with);
  const double norm = std::sqrt(needless ? without : left);
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
}

std::vector<Checked> check(const Source& source, const Design& design, const Sheet& sheet,
                           std::vector<Relation>& relations, double epsilon, Progress& progress) {
  std::vector<Checked> results(relations.size());
  if (relations.empty()) return results;
  std::vector<Task> tasks;
  for (const Relation& relation : relations) {
    tasks.push_back(
        {&relation, scaling_of(sheet, relation, true), design.columns[relation.target].mean, {}});
  }
  const RelationSums first =
      fold(source, RelationSums(design, tasks), "fitting relations", progress);
  for (std::size_t t = 0; t < relations.size(); ++t) {
    const SmallFactor factor(first.sums(t).gram, relations[t].products.size());
    std::vector<double> step = first.sums(t).against;
    factor.solve(step.data());
    add_solution(tasks[t].scaling, step, relations[t]);
    tasks[t].inverse = factor.inverse();
  }
  const RelationSums second =
      fold(source, RelationSums(design, tasks), "checking relations", progress);
  for (std::size_t t = 0; t < relations.size(); ++t) {
    const Sums& sums = second.sums(t);
    const DesignColumn& target = design.columns[relations[t].target];
    const double total = design.weight * target.deviation * target.deviation;
    const auto terms = static_cast<double>(relations[t].products.size());
    relations[t].r2 = 1 - sums.squares / total;
    Checked& result = results[t];
    result.norm = std::sqrt(sums.squares / total);
    result.adjusted_norm =
        result.norm * std::sqrt(design.weight / std::max(design.weight - terms, 1.0));
    const double spread = sums.bulk_squares - sums.bulk_sum * sums.bulk_sum / sums.bulk;
    const bool thin = !(spread > 1e-6 * total);  // the bulk has one value
    const bool bulk = thin || sums.bulk_residual <= (1 - least_of_bulk) * spread;
    const bool convincing =
        relations[t].candidates +
            log_chance(relations[t].r2, terms, static_cast<double>(design.dimensions)) <=
        std::log(level);
    result.holds = result.adjusted_norm <= epsilon && std::sqrt(sums.left_out / total) <= epsilon &&
                   bulk && convincing;
  }
  return results;
}

}  // namespace fsieve::relations
