#include "methods/greedy/entropy_bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/binary.h"
#include "base/parallel.h"
#include "basis/parity_binary.h"
#include "data/design_binary.h"
#include "linalg/tiles.h"
#include "span/parity_gram.h"
#include "stats/fold.h"

namespace fsieve::inline methods {
namespace {

using blas::Op;

// What is left of a standardised value counts as nothing below this.
constexpr double zero = 1e-6;

// The features that were not chosen, and what the functions say of their columns.
struct Rest {
  std::vector<DesignFeature> features;
  std::vector<std::size_t> columns;
  std::vector<std::size_t> first;    // of each feature in `columns`, and the end
  std::vector<double> coefficients;  // of the functions, rank x columns
};

Rest rest_of(const Design& design, std::size_t columns, const GreedyBasis& basis,
             const std::vector<bool>& chosen) {
  Rest rest;
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    const DesignFeature& feature = design.features[j];
    if (chosen[j] || feature.constant) continue;
    rest.features.push_back(feature);
    rest.first.push_back(rest.columns.size());
    for (std::size_t c = feature.first; c < feature.last; ++c) rest.columns.push_back(c);
  }
  rest.first.push_back(rest.columns.size());
  const std::size_t rank = basis.rank();
  rest.coefficients.resize(rank * rest.columns.size());
  for (std::size_t s = 0; s < rest.columns.size(); ++s) {
    for (std::size_t k = 0; k < rank; ++k) {
      rest.coefficients[k + s * rank] = basis.coordinates()[rest.columns[s] + k * columns];
    }
  }
  if (rank > 0 && !rest.columns.empty()) {
    blas::solve_lower_transposed(rank, rest.columns.size(), basis.lower().data(),
                                 basis.lower().stride(), rest.coefficients.data(), rank);
  }
  return rest;
}

// The weight of the rows in which a feature is not what the functions say.
class Misses {
 public:
  Misses(const Design& design, const std::vector<Parity>& functions, const Rest& rest)
      : rows_(design, used_columns(functions, rest.columns)),
        functions_(&functions),
        rest_(&rest),
        weights_(rest.first.size() - 1) {}

  void add(const Block& block) {
    const std::size_t rank = functions_->size();
    for (std::size_t row = 0; row < block.rows; row += ParityGram::slice_rows) {
      const std::size_t count = std::min(ParityGram::slice_rows, block.rows - row);
      rows_.fill(block, row, count);
      std::vector<double> functions(count * rank);
      std::vector<double> left(count * rest_->columns.size());
      in_parallel(rank, [&](std::size_t f) {
        rows_.evaluate((*functions_)[f], functions.data() + f * count);
      });
      in_parallel(rest_->columns.size(), [&](std::size_t s) {
        rows_.evaluate(Parity().times(rest_->columns[s]), left.data() + s * count);
      });
      if (rank > 0) {
        blas::tiled_gemm(Op::none, Op::none, count, rest_->columns.size(), rank, -1.0,
                         functions.data(), count, rest_->coefficients.data(), rank, 1.0,
                         left.data(), count);
      }
      for (std::size_t j = 0; j < weights_.size(); ++j) {
        for (std::size_t i = 0; i < count; ++i) {
          // All functions are scaled by the root of the row's weight.
          const double weight = block.weights.empty() ? 1 : block.weights[row + i];
          bool miss = false;
          for (std::size_t s = rest_->first[j]; s < rest_->first[j + 1]; ++s) {
            miss = miss || std::abs(left[i + s * count]) > zero * std::sqrt(weight);
          }
          if (miss) weights_[j] += weight;
        }
      }
    }
  }

  void merge(const Misses& other) {
    for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] += other.weights_[j];
  }
  void save(std::ostream& out) const { save_values(out, weights_); }
  void load(std::istream& in) { load_values(in, weights_); }
  [[nodiscard]] std::size_t bytes() const { return weights_.size() * sizeof(double); }
  [[nodiscard]] double weight(std::size_t j) const { return weights_[j]; }

  // For parts of a table that are asked for it.
  static constexpr const char* question = "misses";
  void save_question(std::ostream& out) const {
    save_design(out, rows_.design());
    save_parities(out, *functions_);
    save_columns(out, rest_->columns);
    save_columns(out, rest_->first);
    save_values(out, rest_->coefficients);
  }
  static Misses from_question(std::istream& in, const Schema& /*schema*/, Keep& keep) {
    const Design& design = keep(load_design(in));
    const std::vector<Parity>& functions = keep(load_parities(in));
    Rest rest;
    rest.columns = load_columns(in);
    rest.first = load_columns(in);
    load_list(in, rest.coefficients);
    return {design, functions, keep(std::move(rest))};
  }

 private:
  static std::vector<std::size_t> used_columns(const std::vector<Parity>& functions,
                                               const std::vector<std::size_t>& columns) {
    std::vector<Parity> all = functions;
    for (const std::size_t c : columns) all.push_back(Parity().times(c));
    return columns_of(all);
  }

  StandardisedRows rows_;
  const std::vector<Parity>* functions_;
  const Rest* rest_;
  std::vector<double> weights_;
};

double binary_entropy(double p) {
  if (p <= 0) return 0;
  if (p >= 0.5) return 1;  // p is itself a bound: beyond one half the entropy would fall again
  return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

}  // namespace

// The proof of Theorem 1, with the share of rows in which something is left of a feature in the
// place of Markov's bound on it: H(x_j | chosen) <= h(p_j) + p_j log |X_j|. What a feature is when
// the chosen ones are known is what is left of it, so |X_j| is the number of its own values.
std::optional<EntropyBound> entropy_bound(const Source& source, const Design& design,
                                          std::size_t columns, const GreedyBasis& basis,
                                          const std::vector<bool>& chosen, Progress& progress) {
  const auto end = design.columns.begin() + static_cast<std::ptrdiff_t>(columns);
  if (columns == 0 || !std::all_of(design.columns.begin(), end,
                                   [](const DesignColumn& column) { return column.two_valued; })) {
    return std::nullopt;
  }
  const Rest rest = rest_of(design, columns, basis, chosen);
  EntropyBound bound;
  if (rest.features.empty()) return bound;
  const Misses misses =
      fold(source, Misses(design, basis.kept(), rest), "what is left of the features", progress);
  for (std::size_t j = 0; j < rest.features.size(); ++j) {
    const double values =
        std::log2(1.0 + static_cast<double>(rest.features[j].last - rest.features[j].first));
    const double share = misses.weight(j) / design.weight;
    bound.bits += std::min(binary_entropy(share) + share * values, values);
    bound.trivial_bits += values;
  }
  bound.vacuous = bound.bits >= bound.trivial_bits;
  return bound;
}

}  // namespace fsieve::methods
