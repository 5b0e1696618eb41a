// A feature written as a polynomial of others, in original units.
#pragma once

#include <string>
#include <vector>

namespace fsieve {

// coefficient * product of the factors; no factors: the constant term; a power repeats its factor.
struct Term {
  double coefficient = 0;
  std::vector<std::string> factors;
};

struct Equation {
  std::string target;
  std::vector<Term> terms;
  double r2 = 0;  // of exactly these terms, on the data they were fitted to
};

// As a person would write it: "x11 = 3.00·x1·x4·x7".
[[nodiscard]] std::string to_text(const Equation& equation);

}  // namespace fsieve
