#include "equation/held_out_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/parallel.h"
#include "equation/confirmation.h"
#include "equation/small_solve.h"
#include "linalg/blas.h"

namespace fsieve::inline equation {
namespace {

using blas::Op;

// What is left of a direction, as a share, below which it is a combination of earlier ones.
constexpr double nothing_new = 1e-12;

// Functions of the rows as combinations of standardised products.
class Combinations {
 public:
  // `products`: all that may be needed, with their own parts.
  Combinations(const Design& design, const std::vector<Monomial>& products) : design_(design) {
    for (std::size_t i = 0; i < products.size(); ++i) places_[products[i]] = i;
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }

  // A product in original units: a column is its deviation times the standardised one, and its
  // mean.
  [[nodiscard]] std::vector<double> of(const Monomial& product) const {
    std::vector<double> combination(size());
    for (std::uint32_t mask = 0; mask < (1U << product.size()); ++mask) {
      Monomial part;
      double factor = 1;
      for (std::size_t f = 0; f < product.size(); ++f) {
        const DesignColumn& column = design_.columns[product[f]];
        if ((mask >> f & 1U) != 0) {
          part.push_back(product[f]);
          factor *= column.deviation;
        } else {
          factor *= column.mean;
        }
      }
      combination[places_.at(part)] += factor;
    }
    return combination;
  }

 private:
  const Design& design_;
  std::map<Monomial, std::size_t> places_;
};

double norm(const std::vector<double>& vector) {
  return std::sqrt(blas::dot(vector.size(), vector.data(), vector.data()));
}

// Takes orthonormal directions out of another one. Twice, for what rounding leaves of them.
void take_out(const std::vector<std::vector<double>>& directions, std::vector<double>& vector) {
  for (int pass = 0; pass < 2; ++pass) {
    for (const std::vector<double>& direction : directions) {
      const double share = blas::dot(vector.size(), direction.data(), vector.data());
      blas::axpy(vector.size(), -share, direction.data(), vector.data());
    }
  }
}

// Inner products, over some rows, of the functions that fit and of the target with these.
struct Normal {
  std::vector<double> gram;
  std::vector<double> right;
  double target = 0;

  void add(const Normal& other) {
    blas::axpy(gram.size(), 1.0, other.gram.data(), gram.data());
    blas::axpy(right.size(), 1.0, other.right.data(), right.data());
  }
};

// One fit: its terms as orthonormal directions, and of its target what is new beside them. Far from
// zero terms are nearly the same in original units; so they are told apart before anything is
// summed.
class PartedFit {
 public:
  PartedFit(const ParitySums& sums, const Design& design, std::size_t target, const Fit& fit) {
    std::vector<Monomial> terms;
    for (const FittedTerm& term : fit.terms) terms.push_back(term.product);
    std::vector<Monomial> all = terms;
    all.push_back({static_cast<std::uint32_t>(target)});
    const std::vector<Monomial> products = closure(all);
    const Combinations combinations(design, products);
    // Short terms first: long ones are combinations of these and of something new.
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Monomial& a, const Monomial& b) { return a.size() < b.size(); });
    for (const Monomial& term : terms) add_direction(combinations.of(term));
    target_ = combinations.of(all.back());
    take_out(directions_, target_);
    const double deviation = design.columns[target].deviation;
    for (double& part : target_) part /= deviation;

    std::vector<Parity> parities;
    for (const Monomial& product : products) {
      Parity& parity = parities.emplace_back();
      for (const std::uint32_t column : product) parity = parity.times(column);
    }
    for (std::size_t k = 0; k < sums.parts(); ++k) {
      parts_.push_back(normal(sums.part_products(design, k, parities)));
    }
  }

  // The squares that are left of the target (standardised) in each part when the others predict
  // it. These are added up each time: of a term that one part alone has, a difference would leave
  // rounding where there is nothing.
  [[nodiscard]] std::vector<double> left_out() const {
    const std::size_t size = directions_.size();
    std::vector<double> left;
    for (std::size_t out = 0; out < parts_.size(); ++out) {
      Normal others{std::vector<double>(size * size), std::vector<double>(size)};
      for (std::size_t k = 0; k < parts_.size(); ++k) {
        if (k != out) others.add(parts_[k]);
      }
      left.push_back(left_of(parts_[out], coefficients(others)));
    }
    return left;
  }

 private:
  void add_direction(std::vector<double> vector) {
    const double before = norm(vector);
    take_out(directions_, vector);
    const double left = norm(vector);
    if (!(left > nothing_new * before)) return;
    for (double& part : vector) part /= left;
    directions_.push_back(std::move(vector));
  }

  [[nodiscard]] Normal normal(const std::vector<double>& products) const {
    const std::size_t size = target_.size();
    const auto times = [&](const std::vector<double>& vector) {
      std::vector<double> result(size);
      blas::gemv(Op::none, size, size, 1.0, products.data(), size, vector.data(), 0.0,
                 result.data());
      return result;
    };
    const auto inner = [&](const std::vector<double>& a, const std::vector<double>& b) {
      return blas::dot(size, a.data(), b.data());
    };
    Normal normal;
    for (const std::vector<double>& direction : directions_) {
      const std::vector<double> column = times(direction);
      for (const std::vector<double>& other : directions_) {
        normal.gram.push_back(inner(other, column));
      }
      normal.right.push_back(inner(target_, column));
    }
    normal.target = inner(target_, times(target_));
    return normal;
  }

  [[nodiscard]] static std::vector<double> coefficients(const Normal& rows) {
    std::vector<double> solution = rows.right;
    if (!solution.empty()) SmallFactor(rows.gram, solution.size()).solve(solution.data());
    return solution;
  }

  // Not less than nothing, which rounding may make of an exact fit.
  [[nodiscard]] static double left_of(const Normal& part, const std::vector<double>& coefficients) {
    const std::size_t size = coefficients.size();
    double left = part.target - 2 * blas::dot(size, coefficients.data(), part.right.data());
    for (std::size_t j = 0; j < size; ++j) {
      left += coefficients[j] * blas::dot(size, part.gram.data() + j * size, coefficients.data());
    }
    return std::max(left, 0.0);
  }

  std::vector<std::vector<double>> directions_;
  std::vector<double> target_;
  std::vector<Normal> parts_;
};

bool names_one_column(const Fit& fit) {
  return fit.length() == 1 &&
         std::all_of(fit.terms.begin(), fit.terms.end(),
                     [](const FittedTerm& term) { return term.product.size() <= 1; });
}

// How uneven parts of rows are, whose sum this is: the part of a single row in it, squared and
// summed over the rows, is not known without them, but parts of many rows say as much.
double unevenness(const std::vector<double>& parts, double sum) {
  double squares = 0;
  if (!(sum > 0)) return squares;
  for (const double part : parts) {
    const double share = part / sum - 1 / static_cast<double>(parts.size());
    squares += share * share;
  }
  return squares;
}

}  // namespace

std::vector<HeldOutFit> held_out_parts(const ParitySums& sums, const Design& design,
                                       const std::vector<std::size_t>& targets,
                                       std::vector<Fit>& fits) {
  std::vector<HeldOutFit> results(fits.size());
  in_parallel(fits.size(), [&](std::size_t t) {
    const DesignColumn& column = design.columns[targets[t]];
    HeldOutFit& result = results[t];
    result.left = 1 - fits[t].r2_fit;
    result.copy = names_one_column(fits[t]);
    const std::vector<double> parts = PartedFit(sums, design, targets[t], fits[t]).left_out();
    const double left = std::accumulate(parts.begin(), parts.end(), 0.0);
    result.left_out = left / design.weight;
    const ColumnShapes& shapes = *sums.shapes();
    result.carriers = shapes.carriers(column.feature, column.mean);
    result.varied = varied_share(design.weight, shapes.usual_rows(column.feature));
    result.arrangements = shapes.log_arrangements(column.feature);
    result.spread =
        unevenness(parts, left) + std::max(1 / result.carriers - 1 / design.weight, 0.0);
    fits[t].left_out = result.left_out;
    fits[t].r2 = promised_r2(result, design.weight);
  });
  return results;
}

}  // namespace fsieve::equation
