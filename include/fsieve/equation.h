// A feature written as a polynomial of others, in original units.
#pragma once

#include <string>
#include <vector>

namespace fsieve {

// coefficient * product of the factors; no factors: the constant term. A small whole power repeats
// its factor, any other stands in `powers`. A factor may be a function of a column, as in log(wage)
// and log(1 + count).
struct Term {
  double coefficient = 0;
  std::vector<std::string> factors;
  std::vector<double> powers = {};  // one per factor; empty: all are 1
};

struct Equation {
  std::string target;
  std::vector<Term> terms;
  double r2 = 0;      // of exactly these terms, each row predicted by a fit to the others
  double r2_fit = 0;  // on the rows they were fitted to
};

// Factors, and terms of as many factors, in the order in which people count: x2 before x10.
void order_naturally(Equation& equation);

// As a person would write it: "x11 = 3.00·x1·x4·x7".
[[nodiscard]] std::string to_text(const Equation& equation);

}  // namespace fsieve
