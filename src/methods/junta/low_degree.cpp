#include "methods/junta/low_degree.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "bits/subset_tiles.h"
#include "fsieve/error.h"

namespace fsieve::inline methods {
namespace {

constexpr double most_terms = 200'000;
constexpr std::size_t chunk = 512;  // rows at a time

// A range of rows of one class, as bits and as standardised numbers.
struct Rows {
  std::size_t bit = 0;
  std::size_t count = 0;
  double y = 0;
  double weight = 1;  // of each row
  double others = 0;  // what all other rows weigh, in units of this weight
};

class LowDegreeFit {
 public:
  LowDegreeFit(const JuntaTable& table, std::size_t k, Progress& progress)
      : table_(table), k_(k), progress_(progress) {
    const double terms = [&] {
      double sum = 0;
      for (std::size_t s = 0; s <= k; ++s) sum += choose(table.size(), s);
      return sum;
    }();
    if (terms > most_terms) {
      throw Error(fmt::format(
          "low-degree: products of up to {} of {} features are {:.0f} coefficients, {:.0f} are the "
          "most; take a smaller k or fewer columns",
          k, table.size(), terms, most_terms));
    }
    const RowWeights& weights = table.weights;
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t row = 0; row < table.order.rows[c]; row += chunk) {
        ranges_.push_back(
            {table.order.segments[c].first * 64 + row,
             std::min<std::size_t>(chunk, table.order.rows[c] - row), c == 0 ? -1.0 : 1.0,
             weights.of(c),
             weights.even() ? static_cast<double>(table.rows) - 1 : 1 / weights.among_others(c)});
      }
    }
  }

  LowDegree run() {
    list_terms({}, 0);
    estimate();
    judge();
    return std::move(result_);
  }

 private:
  // Terms that begin with the same feature follow each other, each after the one it extends.
  void list_terms(const std::vector<std::size_t>& prefix, std::size_t from) {
    result_.terms.push_back({prefix, 0});
    if (prefix.size() == k_) return;
    for (std::size_t j = from; j < table_.size(); ++j) {
      if (prefix.empty()) starts_.push_back(result_.terms.size());
      std::vector<std::size_t> longer = prefix;
      longer.push_back(j);
      list_terms(longer, j + 1);
    }
  }

  void unpack(const Rows& rows, std::size_t feature, double* out) const {
    const ModelFeature& f = table_.features[feature].described;
    const double high = (1 - f.mean) / f.deviation;
    const double low = (-1 - f.mean) / f.deviation;
    const std::uint64_t* bits = table_.bits.column(feature);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const std::size_t bit = rows.bit + i;
      out[i] = (bits[bit / 64] >> (bit % 64) & 1U) != 0 ? high : low;
    }
  }

  // Calls visit(term, its values on the rows) for the terms [from, to), which must begin with a
  // single feature or the constant.
  template <class Visit>
  void evaluate(const Rows& rows, std::size_t from, std::size_t to, std::vector<double>& scratch,
                const Visit& visit) const {
    const std::size_t d = table_.size();
    scratch.resize((d + k_ + 1) * chunk);
    double* products = scratch.data() + d * chunk;
    const std::size_t first =
        result_.terms[from].features.empty() ? 0 : result_.terms[from].features.front();
    for (std::size_t j = first; j < d; ++j) unpack(rows, j, scratch.data() + j * chunk);
    std::fill_n(products, chunk, 1.0);
    for (std::size_t t = from; t < to; ++t) {
      const std::vector<std::size_t>& features = result_.terms[t].features;
      double* own = products + features.size() * chunk;
      if (!features.empty()) {
        const double* shorter = own - chunk;
        const double* factor = scratch.data() + features.back() * chunk;
        for (std::size_t i = 0; i < rows.count; ++i) own[i] = shorter[i] * factor[i];
      }
      visit(t, own);
    }
  }

  // Every coefficient is summed over all rows in one order, whatever the threads do.
  void estimate() {
    std::vector<std::size_t> bounds{0};
    bounds.insert(bounds.end(), starts_.begin(), starts_.end());
    bounds.push_back(result_.terms.size());
    SharedProgress progress(progress_, "coefficients", static_cast<double>(result_.terms.size()));
    in_parallel(bounds.size() - 1, [&](std::size_t part) {
      std::vector<double>& scratch = scratch_.local();
      for (const Rows& rows : ranges_) {
        stop_if_asked();
        evaluate(rows, bounds[part], bounds[part + 1], scratch,
                 [&](std::size_t t, const double* values) {
                   double sum = 0;
                   for (std::size_t i = 0; i < rows.count; ++i) sum += values[i];
                   result_.terms[t].value += rows.weight * rows.y * sum;
                 });
      }
      progress.add(bounds[part + 1] - bounds[part]);
    });
    for (LowDegree::Term& term : result_.terms) {
      term.value /= static_cast<double>(table_.rows);
      if (!table_.weights.even() && std::abs(term.value) < zero_value) term.value = 0;
    }
    progress.end();
  }

  void judge() {
    const auto n = static_cast<double>(table_.rows);
    const bool majority = result_.terms[0].value >= 0;
    std::vector<double> score(ranges_.size());
    std::vector<std::size_t> errors(ranges_.size());
    SharedProgress progress(progress_, "training error", n);
    in_parallel(ranges_.size(), [&](std::size_t r) {
      const Rows& rows = ranges_[r];
      std::vector<double> fitted(rows.count);
      std::vector<double> squares(rows.count);
      evaluate(rows, 0, result_.terms.size(), scratch_.local(),
               [&](std::size_t t, const double* values) {
                 const double f = result_.terms[t].value;
                 for (std::size_t i = 0; i < rows.count; ++i) {
                   fitted[i] += f * values[i];
                   squares[i] += values[i] * values[i];
                 }
               });
      for (std::size_t i = 0; i < rows.count; ++i) {
        const double own = rows.weight * rows.y * squares[i] / n;
        score[r] += std::abs(fitted[i] - own);
        const bool second = std::abs(fitted[i]) < zero_value ? majority : fitted[i] > 0;
        if (second != (rows.y > 0)) ++errors[r];
      }
      progress.add(rows.count);
    });
    progress.end();
    for (std::size_t r = 0; r < ranges_.size(); ++r) {
      result_.score += score[r] / ranges_[r].others;
      result_.training_error += static_cast<double>(errors[r]);
      result_.weighted_error += ranges_[r].weight * static_cast<double>(errors[r]);
    }
    result_.training_error /= n;
    result_.weighted_error /= n;
  }

  const JuntaTable& table_;
  std::size_t k_;
  Progress& progress_;
  std::vector<Rows> ranges_;
  std::vector<std::size_t> starts_;  // of the terms that begin with a feature
  LowDegree result_;
  tbb::enumerable_thread_specific<std::vector<double>> scratch_;
};

}  // namespace

LowDegree learn_low_degree(const JuntaTable& table, std::size_t k, Progress& progress) {
  return LowDegreeFit(table, k, progress).run();
}

}  // namespace fsieve::methods
