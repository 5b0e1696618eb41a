// How likely chance alone is to let a step's functions catch as much of the label as they do.
#pragma once

#include <cstddef>
#include <vector>

#include "data/supervised_data.h"
#include "stats/exchange_tail.h"

namespace fsieve::inline methods {

// Where no level is asked for, the F tail times twice the number of candidates decides: a step is
// sure, or likely to help.
constexpr double sure_chance = 0.01;
constexpr double likely_chance = 0.05;
// Rows in the rarest cell of feature and label from which on the F tail is good enough.
constexpr double f_tail_rows = 1000;

// What every judgement of functions beside one residual has in common.
struct JudgedLabel {
  JudgedLabel(const SupervisedData& data, const std::vector<double>& residual);
  JudgedLabel(const JudgedLabel&) = delete;
  JudgedLabel& operator=(const JudgedLabel&) = delete;
  ~JudgedLabel() = default;

  double left;                    // squared norm of the residual
  double columns;                 // free_columns of it
  std::vector<double> exchanged;  // the residual as exchanges see it
  ExchangedLabel exchange;
};

// What a step is judged by: orthonormal functions that are new to a span of `rank` functions, and
// what that span leaves of the label's columns (times √w, as all functions here).
struct Evidence {
  const SupervisedData& data;
  std::size_t rank = 0;
  const std::vector<double>& residual;
  const std::vector<double>& functions;
  const JudgedLabel* label = nullptr;  // of the residual, where it is known
  // Products with features that are taken: what these leave of the label may be spread unevenly
  // over their values, which an exchange of rows would even out.
  bool products = false;
};

// log of the chance for one candidate: the larger of two. The F tail is right for light tails and
// any number of functions. The exchange tail (stats/exchange_tail.h), in the direction that the
// functions found, is right for any tails and class sizes; the deviations that it is worth are
// those of a normal vector of as many dimensions as functions times free label columns. Of products
// these deviations are measured by the variance that rows have where they stand (White's estimate
// beside that of exchanged rows).
[[nodiscard]] double log_chance(const Evidence& evidence);

// The F tail alone: quick, and too small where rows have large leverages or a class is rare.
[[nodiscard]] double log_f_chance(const Evidence& evidence);

// How many independent columns of equal variance the residual is worth: (tr S)² / tr S² of its
// inner products S.
[[nodiscard]] double free_columns(std::size_t rows, const std::vector<double>& residual);

// The F tail of `functions` functions that catch `caught` of `left`, of a label worth so many
// columns, with so many rows not spoken for before; 0 where fewer than five are left.
[[nodiscard]] double log_f_chance(double functions, double caught, double left, double columns,
                                  double rows_left);

}  // namespace fsieve::methods
