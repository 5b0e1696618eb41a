#include "relations/pursuit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "linalg/tiles.h"

namespace fsieve::relations {
namespace {

// Variances below are rounding: the relation is exact.
constexpr double exact = 1e-10;
// Products of which less is new beside those taken are none.
constexpr double least_new = 1e-9;

// Of every product: the variance that those taken leave.
using News = std::vector<double>;

struct State {
  std::vector<std::size_t> taken;  // products, sorted
  std::vector<double> residual;
  std::shared_ptr<const News> before;  // news without the product taken last
  std::vector<double> direction;       // what was new in that one, of mean square 1
  double left = 1;
};

struct Step {
  double left;
  std::size_t state;
  std::size_t product;
};

bool contains(const Product& product, std::uint32_t column) {
  return std::any_of(product.begin(), product.end(),
                     [&](const Factor& factor) { return factor.column == column; });
}

// What the best of so many products catches of noise.
double promise(std::size_t products, std::size_t rows) {
  return 3 * std::log(static_cast<double>(products)) / static_cast<double>(rows);
}

// Inner products of all products of a library with standardised columns, products first.
std::vector<double> products_with(const Library& library, std::size_t rows,
                                  const std::vector<double>& columns) {
  const std::size_t products = library.products.size();
  const std::size_t count = columns.size() / rows;
  std::vector<double> inner(products * count);
  if (count == 0) return inner;
  blas::tiled_gemm(blas::Op::transpose, blas::Op::none, products, count, rows,
                   1 / static_cast<double>(rows), library.values.data(), rows, columns.data(), rows,
                   0.0, inner.data(), products);
  return inner;
}

// Inner products of all products of a library with targets: one matrix product for all.
std::vector<double> products_with(const Sheet& sheet, const Library& library,
                                  const std::vector<std::uint32_t>& targets) {
  std::vector<double> values;
  for (const std::uint32_t target : targets) {
    values.insert(values.end(), sheet.column(target), sheet.column(target) + sheet.rows);
  }
  std::vector<double> deviations;
  values = standardised(sheet, std::move(values), deviations);
  return products_with(library, sheet.rows, values);
}

// Places of the targets of which a single product catches more than noise, most first.
std::vector<std::size_t> promising(const std::vector<double>& inner, std::size_t rows,
                                   const Library& library,
                                   const std::vector<std::uint32_t>& targets) {
  const std::size_t count = library.products.size();
  const double least = promise(count, rows);
  std::vector<std::pair<double, std::size_t>> found;  // what is caught at most, negative
  for (std::size_t t = 0; t < targets.size(); ++t) {
    double most = 0;
    for (std::size_t p = 0; p < count; ++p) {
      const double caught = inner[p + t * count] * inner[p + t * count];
      if (caught > most && !contains(library.products[p], targets[t])) most = caught;
    }
    if (most >= least) found.emplace_back(-most, t);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> best_first(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) best_first[k] = found[k].second;
  return best_first;
}

class Pursuit {
 public:
  Pursuit(const Sheet& sheet, const Library& library, std::uint32_t target, double epsilon,
          std::size_t most_terms, std::size_t width)
      : library_(library),
        rows_(sheet.rows),
        count_(library.products.size()),
        target_(target),
        epsilon_(epsilon),
        most_terms_(most_terms),
        width_(width) {
    barred_.resize(count_);
    for (std::size_t p = 0; p < count_; ++p) {
      barred_[p] = contains(library.products[p], target) ? 1 : 0;
    }
    const double* values = sheet.column(target);
    std::vector<double> deviation;
    target_values_ = standardised(sheet, {values, values + rows_}, deviation);
  }

  [[nodiscard]] double work() const { return work_; }

  // `caught`: inner products of all products with the target.
  std::optional<Relation> run(std::vector<double> caught) {
    State start;
    start.residual = target_values_;
    start.before = std::make_shared<const News>(count_, 1.0);
    std::vector<State> beam{std::move(start)};
    std::vector<State> best;  // of each number of terms
    while (best.size() < most_terms_) {
      if (!best.empty()) caught = caught_of(beam);
      beam = extended(beam, caught);
      if (beam.empty()) break;
      const double left = beam.front().left;
      if (!best.empty() && left > slowest(best.size()) * best.back().left) break;
      best.push_back(beam.front());
      if (left <= exact) break;
    }
    return chosen(best);
  }

 private:
  // A sum of at most five parts of like size loses at least this share with each: what loses less
  // is not on its way to nothing.
  [[nodiscard]] static double slowest(std::size_t terms) {
    return 0.9 - 0.05 * static_cast<double>(terms);
  }

  [[nodiscard]] std::optional<Relation> chosen(const std::vector<State>& best) const {
    std::size_t k = 0;
    while (k + 1 < best.size() &&
           1 - best[k + 1].left / std::max(best[k].left, exact) > promise(count_, rows_)) {
      ++k;
    }
    if (best.empty() || best[k].left > epsilon_ * epsilon_) return std::nullopt;
    Relation relation;
    relation.target = target_;
    for (const std::size_t p : best[k].taken) relation.products.push_back(library_.products[p]);
    relation.candidates =
        static_cast<double>(best[k].taken.size()) * std::log(static_cast<double>(count_));
    return relation;
  }

  // Inner products of all products with what states leave of the target.
  [[nodiscard]] std::vector<double> caught_of(const std::vector<State>& beam) const {
    std::vector<double> residuals;
    for (const State& state : beam) {
      residuals.insert(residuals.end(), state.residual.begin(), state.residual.end());
    }
    return products_with(library_, rows_, residuals);
  }

  // The states that one more product leads to, those that leave least first.
  [[nodiscard]] std::vector<State> extended(const std::vector<State>& beam,
                                            const std::vector<double>& caught) const {
    count_work(beam.size());
    const std::vector<std::shared_ptr<const News>> news = news_of(beam);
    std::vector<Step> steps;
    for (std::size_t s = 0; s < beam.size(); ++s) {
      const News& own_news = *news[s];
      std::vector<Step> own;
      for (std::size_t p = 0; p < count_; ++p) {
        if (barred_[p] || own_news[p] < least_new) continue;
        const double inner = caught[p + s * count_];
        own.push_back({beam[s].left - inner * inner / own_news[p], s, p});
      }
      const std::size_t few = std::min<std::size_t>(own.size(), 2 * width_);
      std::partial_sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(few), own.end(),
                        [&](const Step& a, const Step& b) { return before(a, b); });
      steps.insert(steps.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(few));
    }
    std::sort(steps.begin(), steps.end(),
              [&](const Step& a, const Step& b) { return before(a, b); });
    return taken_steps(beam, news, steps);
  }

  // What is new in every product beside those that a state has taken. Only now: most searches end
  // before anyone asks for that of their last states.
  [[nodiscard]] std::vector<std::shared_ptr<const News>> news_of(
      const std::vector<State>& beam) const {
    std::vector<double> directions;
    for (const State& state : beam) {
      directions.insert(directions.end(), state.direction.begin(), state.direction.end());
    }
    const std::vector<double> inner = products_with(library_, rows_, directions);
    std::vector<std::shared_ptr<const News>> news;
    for (std::size_t s = 0; s < beam.size(); ++s) {
      news.push_back(beam[s].before);
      if (beam[s].direction.empty()) continue;
      News less = *beam[s].before;
      for (std::size_t p = 0; p < count_; ++p) {
        less[p] -= inner[p + s * count_] * inner[p + s * count_];
      }
      news.back() = std::make_shared<const News>(std::move(less));
    }
    return news;
  }

  // Equal remainders (relations that are one and the same on these rows): the easier product.
  [[nodiscard]] bool before(const Step& a, const Step& b) const {
    const double left_a = std::max(a.left, exact);
    const double left_b = std::max(b.left, exact);
    if (std::abs(left_a - left_b) > 1e-9 * left_a) return left_a < left_b;
    const double hard_a = difficulty(library_.products[a.product]);
    const double hard_b = difficulty(library_.products[b.product]);
    if (hard_a != hard_b) return hard_a < hard_b;
    return a.product != b.product ? a.product < b.product : a.state < b.state;
  }

  [[nodiscard]] std::vector<State> taken_steps(const std::vector<State>& beam,
                                               const std::vector<std::shared_ptr<const News>>& news,
                                               const std::vector<Step>& steps) const {
    std::set<std::vector<std::size_t>> seen;
    std::vector<State> next;
    for (const Step& step : steps) {
      if (next.size() == width_) break;
      State state;
      state.taken = beam[step.state].taken;
      state.taken.insert(std::upper_bound(state.taken.begin(), state.taken.end(), step.product),
                         step.product);
      if (!seen.insert(state.taken).second || fits_by_logarithms(state.taken)) continue;
      state.direction = orthonormal(state.taken, step.product);
      if (state.direction.empty()) continue;
      state.before = news[step.state];
      state.residual = beam[step.state].residual;
      const double inner = blas::dot(rows_, state.direction.data(), state.residual.data()) /
                           static_cast<double>(rows_);
      blas::axpy(rows_, -inner, state.direction.data(), state.residual.data());
      state.left = blas::dot(rows_, state.residual.data(), state.residual.data()) /
                   static_cast<double>(rows_);
      next.push_back(std::move(state));
    }
    count_work(next.size());  // of their news
    return next;
  }

  // A column and its logarithm in one sum are no formula but a curve through its values.
  [[nodiscard]] bool fits_by_logarithms(const std::vector<std::size_t>& taken) const {
    return std::any_of(taken.begin(), taken.end(), [&](std::size_t p) {
      const Factor& factor = library_.products[p].front();
      return factor.form != Form::itself &&
             std::count_if(taken.begin(), taken.end(), [&](std::size_t other) {
               return contains(library_.products[other], factor.column);
             }) > 1;
    });
  }

  // What is new in a product beside the others that are taken, of mean square 1.
  [[nodiscard]] std::vector<double> orthonormal(const std::vector<std::size_t>& taken,
                                                std::size_t product) const {
    std::vector<std::vector<double>> basis;
    const auto add = [&](std::size_t p) {
      const double* values = library_.values.data() + p * rows_;
      std::vector<double> column(values, values + rows_);
      for (int pass = 0; pass < 2; ++pass) {
        for (const auto& other : basis) {
          const double inner =
              blas::dot(rows_, other.data(), column.data()) / static_cast<double>(rows_);
          blas::axpy(rows_, -inner, other.data(), column.data());
        }
      }
      const double size =
          std::sqrt(blas::dot(rows_, column.data(), column.data()) / static_cast<double>(rows_));
      if (!(size * size > least_new)) return false;
      for (double& value : column) value /= size;
      basis.push_back(std::move(column));
      return true;
    };
    for (const std::size_t p : taken) {
      if (p != product) add(p);
    }
    if (!add(product)) return {};
    return basis.back();
  }

  // Of so many columns with all products, whether or not it comes to that.
  void count_work(std::size_t columns) const {
    work_ += static_cast<double>(count_) * static_cast<double>(columns * rows_);
  }

  const Library& library_;
  std::size_t rows_;
  std::size_t count_;
  std::uint32_t target_;
  double epsilon_;
  std::size_t most_terms_;
  std::size_t width_;
  std::vector<char> barred_;
  std::vector<double> target_values_;
  mutable double work_ = 0;  // multiply-adds so far, at most
};

}  // namespace

std::vector<Relation> pursue(const Sheet& sheet, const Library& library,
                             const std::vector<std::uint32_t>& targets, double epsilon,
                             std::size_t most_terms, std::size_t width, double& work) {
  const std::size_t products = library.products.size();
  const std::vector<double> inner = products_with(sheet, library, targets);
  std::vector<Relation> relations;
  for (const std::size_t place : promising(inner, sheet.rows, library, targets)) {
    if (work <= 0) break;
    Pursuit pursuit(sheet, library, targets[place], epsilon, most_terms, width);
    const double* caught = inner.data() + place * products;
    auto relation = pursuit.run({caught, caught + products});
    work -= pursuit.work();
    if (!relation) continue;
    relation->candidates += std::log(static_cast<double>(targets.size()));
    relations.push_back(std::move(*relation));
  }
  return relations;
}

}  // namespace fsieve::relations
