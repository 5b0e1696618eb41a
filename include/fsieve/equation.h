// A feature written as a sum of products of others, in original units.
#pragma once

#include <string>
#include <vector>

namespace fsieve {

// coefficient * product of the factors; no factors: the constant term. A small whole power repeats
// its factor; where a term has any other, `powers` has one for each of its factors.
struct Term {
  double coefficient = 0;
  std::vector<std::string> factors;
  std::vector<double> powers = {};  // empty: all 1
};

struct Equation {
  std::string target;
  std::vector<Term> terms;
  double r2 = 0;  // of exactly these terms, on the data they were fitted to
};

// As a person would write it: "x11 = 3.00·x1·x4·x7".
[[nodiscard]] std::string to_text(const Equation& equation);

}  // namespace fsieve
