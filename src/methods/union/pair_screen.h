// Which pairs of features cannot have a good score under bayes_accuracy, without a look at every
// class on every row. The pairs that are left are scored as ever, so nothing is lost:
//
// Class k is predicted by ŷ_k = p_k + f_k·ψ, with p_k its share and ψ the three orthonormal
// functions of the pair, and the score is 1/(n − 1) times the sum over rows of the largest ŷ_k, of
// which the own class is lowered by h >= 0. So
//
//     (n − 1) score <= n max p + Σ_i max_k f_k·ψ(i).
//
// Let all f_k lie in the ellipsoid of a matrix A: f_k'A⁻¹f_k <= 1. Then f_k·ψ <= √(ψ'Aψ) for every
// class, by the inequality of Cauchy and Schwarz, and again, as the ψ are orthonormal,
//
//     Σ_i max_k f_k·ψ(i) <= Σ_i √(ψ(i)'Aψ(i)) <= n √(trace A).
//
// The last needs no row, the one before it a dozen operations for each, however many classes there
// are. Any A that holds the f_k will do; a small one prunes more. Chosen at run time for this CPU.
#pragma once

#include <cstddef>
#include <vector>

namespace fsieve::inline methods {

// What is left of a product after the functions before it, relative to its own squared norm: from
// sums of products, below the first it is surely trivial, and above the second ten digits are left;
// between the two the rows decide.
inline constexpr double surely_trivial = 1e-12;
inline constexpr double surely_not_trivial = 1e-4;

// Pairs {b, c} of one c are looked at in groups of eight b.
inline constexpr std::size_t pair_group = 8;

// Means over all rows of products of the standardised u = x_b and v = x_c, eight numbers for eight
// b (what lies beyond the last b is read and not used). Those of the classes are sums over the rows
// of the class divided by all rows, and lie one stride after another.
struct PairMeans {
  std::size_t classes;
  const double *uuv, *uvv, *uuvv;
  const double* class_uv;
  std::size_t class_uv_stride;
  const double *class_u, *class_v;  // eight numbers, one number
  std::size_t class_stride;
  const double* share;  // p
};

struct PairFits {
  explicit PairFits(std::size_t classes)
      : f(classes * 3 * pair_group), weight(classes * pair_group) {}

  // ψ = u, v[0] v + v[1] u, uv v[2] + v v[3] + u v[4] + v[5]; zero where trivial.
  double v[6][pair_group];
  bool unsure[pair_group];       // must the rows decide what is trivial?
  std::vector<double> f;         // per class, three functions, eight pairs
  double ellipsoid[pair_group];  // √(trace A)
  // √(ψ'Aψ) is the length of (k0 u, k1 v + k2 u, k3 uv + k4 v + k5 u + k6), and these are off by no
  // more than `rounding` on average over the rows.
  float k[7][pair_group];
  double rounding[pair_group];
  std::vector<double> weight;  // scratch
};

// The functions of eight pairs, and a small ellipsoid for each.
void fit_pairs(const PairMeans& means, PairFits& fits);

// The rows of single precision, one class after another, each filled up to a multiple of this many
// rows, which have weight 0.
inline constexpr std::size_t class_rows_step = 16;

struct NarrowPair {
  const float *u, *v, *weight;
  const std::size_t* first;  // row of each class, and the end
  std::size_t classes;
};

// parts[k] = Σ √(ψ'Aψ) over the rows of class k.
void ellipsoid_lengths(const NarrowPair& rows, const PairFits& fits, std::size_t pair,
                       double* parts);

}  // namespace fsieve::methods
