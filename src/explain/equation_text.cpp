#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "fsieve/equation.h"
#include "text/number.h"

namespace fsieve {
namespace {

// Three significant digits, as people write them: 3.00, 0.0164, 1250, 1.2e+07.
std::string number(double magnitude) {
  if (magnitude == 0) return "0";
  // Rounding comes first: 0.9996 is 1.00, not 1.000.
  const double rounded = leading_number(fmt::format("{:.2e}", magnitude)).value;
  if (rounded >= 1e6 || rounded < 1e-4) return fmt::format("{:.3g}", rounded);
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(rounded)));
  return fmt::format("{:.{}f}", magnitude, std::max(decimals, 0));
}

constexpr std::array<std::string_view, 10> kSuperscripts{"",  "",  "²", "³", "⁴",
                                                         "⁵", "⁶", "⁷", "⁸", "⁹"};

// A power repeats its factor.
std::size_t times_in_a_row(const std::vector<std::string>& factors, std::size_t from) {
  std::size_t end = from + 1;
  while (end < factors.size() && end - from + 1 < kSuperscripts.size() &&
         factors[end] == factors[from]) {
    ++end;
  }
  return end - from;
}

}  // namespace

std::string to_text(const Equation& equation) {
  std::string text = equation.target + " =";
  if (equation.terms.size() == 1 && equation.terms[0].factors.empty()) {
    return fmt::format("{} {:.6g}", text, equation.terms[0].coefficient);
  }
  bool first = true;
  for (const Term& term : equation.terms) {
    const bool negative = term.coefficient < 0;
    if (first) {
      text += negative ? " −" : " ";
    } else {
      text += negative ? " − " : " + ";
    }
    first = false;
    // A factor of one goes without saying; one that only rounds to it in three digits does not.
    const bool one = std::abs(std::abs(term.coefficient) - 1) < 1e-4;
    std::string product = one && !term.factors.empty() ? "" : number(std::abs(term.coefficient));
    for (std::size_t f = 0; f < term.factors.size();) {
      const std::size_t power = times_in_a_row(term.factors, f);
      if (!product.empty()) product += "·";
      product += term.factors[f];
      if (power > 1) product += kSuperscripts.at(power);
      f += power;
    }
    text += product;
  }
  if (first) text += " 0";
  return text;
}

}  // namespace fsieve
