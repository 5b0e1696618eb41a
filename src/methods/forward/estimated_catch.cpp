#include "methods/forward/estimated_catch.h"

#include <cmath>
#include <vector>

namespace fsieve::inline methods {
namespace {

// From what factor_gram left of a Gram matrix and of the inner products with the labels to the
// coefficients of the functions kept: x = L^-T c.
void solve_kept(const std::vector<std::size_t>& kept, const double* gram, std::size_t ld,
                std::size_t labels, double* on_label) {
  for (std::size_t a = kept.size(); a-- > 0;) {
    const std::size_t k = kept[a];
    const double* column = gram + k * ld;
    for (std::size_t y = 0; y < labels; ++y) {
      double rest = on_label[k * labels + y];
      for (std::size_t b = a + 1; b < kept.size(); ++b) {
        rest -= column[kept[b]] * on_label[kept[b] * labels + y];
      }
      on_label[k * labels + y] = rest / column[k];
    }
  }
}

// Σ x² |f|² over a function (x = 1) and what it takes of those kept before it to leave what is left
// of it: what an error of inner products, relative to the norms of both factors, counts there.
double weight_of_rest(std::size_t function, const std::vector<std::size_t>& kept,
                      const double* gram, std::size_t ld, const double* squares) {
  thread_local std::vector<double> x;
  x.clear();
  for (const std::size_t k : kept) {
    if (k >= function) break;
    x.push_back(gram[function + k * ld]);
  }
  double weight = squares[function];
  for (std::size_t a = x.size(); a-- > 0;) {
    const double* column = gram + kept[a] * ld;
    for (std::size_t b = a + 1; b < x.size(); ++b) x[a] -= column[kept[b]] * x[b];
    x[a] /= column[kept[a]];
    weight += x[a] * x[a] * squares[kept[a]];
  }
  return weight;
}

}  // namespace

EstimatedCatch estimated_catch(std::size_t count, double* gram, std::size_t labels,
                               double* on_label, const double* squares, double least,
                               double rounding) {
  thread_local std::vector<std::size_t> kept;
  factor_gram(count, gram, count, least, labels, on_label, kept);
  EstimatedCatch estimate;
  estimate.explained = caught_by(kept, labels, on_label);
  solve_kept(kept, gram, count, labels, on_label);
  auto next = kept.begin();
  for (std::size_t k = 0; k < count; ++k) {
    // What is left has the error of the inner products, and those of the functions taken out of it,
    // each grown as it was left with less: at most so much, and looked at closely where that
    // matters.
    double off = 2 * rounding * squares[k] * (1 + estimate.growth);
    double left = gram[k + k * count];
    const bool is_kept = next != kept.end() && *next == k;
    if (is_kept) left *= left;  // of those kept the root is there
    if (std::abs(left - least) <= off) {
      off = 2 * rounding * weight_of_rest(k, kept, gram, count, squares);
    }
    if (is_kept) {
      ++next;
      estimate.growth += squares[k] / left;
      for (std::size_t y = 0; y < labels; ++y) {
        estimate.weight += squares[k] * on_label[k * labels + y] * on_label[k * labels + y];
      }
    }
    if (std::abs(left - least) <= off) estimate.sure = false;
  }
  return estimate;
}

}  // namespace fsieve::methods
