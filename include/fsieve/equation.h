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

// In an equation a small whole power repeats its factor. A factor of any other power is written as
// the name, this mark and the power.
inline constexpr char power_mark = '\x1f';

struct RaisedFactor {
  std::string name;
  double power = 1;
};

[[nodiscard]] std::string factor_text(const RaisedFactor& factor);
[[nodiscard]] RaisedFactor raised_factor(const std::string& text);

}  // namespace fsieve
