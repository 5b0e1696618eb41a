// Functions of one feature: what a real-valued feature brings beside its plain column, and columns
// and labels made of ranks, which no outlier can bend.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "data/supervised_data.h"

namespace fsieve::inline data {

// Where the values of a column stand among all: twice their (mid-)rank share less 1, between −1 and
// 1. `weights`: of the rows, or empty.
[[nodiscard]] std::vector<double> centred_ranks(std::span<const double> values,
                                                std::span<const double> weights);

// The polynomials of degrees 1 to 3 of ranks, of mean 0 and variance 1 and orthogonal to each other
// over the rows, one after another; fewer where a column has too few values for them.
[[nodiscard]] std::vector<double> rank_polynomials(std::span<const double> values,
                                                   std::span<const double> weights);

// Has this feature, not constant, more than two numbers as values?
[[nodiscard]] bool is_real(const Design& design, std::size_t feature);
[[nodiscard]] bool is_real(const SupervisedData& data, std::size_t feature);
// Has any?
[[nodiscard]] bool any_real(const SupervisedData& data);

// A copy in which every real-valued feature also has its polynomials of ranks of degrees 2 and 3,
// after its column. `ranked`: its column too is the polynomial of degree 1. `made` is called with
// the polynomials of every such feature, from many threads.
using PolynomialsMade = std::function<void(std::size_t feature, const std::vector<double>&)>;
[[nodiscard]] SupervisedData with_curves(const SupervisedData& data, bool ranked,
                                         const PolynomialsMade& made = {});

// A number as label is replaced by the normal scores of its ranks.
[[nodiscard]] Label with_normal_scores(Label label);

}  // namespace fsieve::data
