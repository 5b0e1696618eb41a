#include <fmt/format.h>

#include <cmath>

#include "fsieve/equation.h"

namespace fsieve {
namespace {

// Three significant digits, as people write them: 3.00, 0.0164, 1250, 1.2e+07.
std::string number(double magnitude) {
  if (magnitude == 0) return "0";
  if (magnitude >= 1e6 || magnitude < 1e-4) return fmt::format("{:.3g}", magnitude);
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(magnitude)));
  return fmt::format("{:.{}f}", magnitude, std::max(decimals, 0));
}

}  // namespace

std::string to_text(const Equation& equation) {
  std::string text = equation.target + " =";
  bool first = true;
  for (const Term& term : equation.terms) {
    const bool negative = term.coefficient < 0;
    if (first) {
      text += negative ? " −" : " ";
    } else {
      text += negative ? " − " : " + ";
    }
    first = false;
    // A factor of one goes without saying.
    std::string product = number(std::abs(term.coefficient));
    if (product == "1.00" && !term.factors.empty()) product.clear();
    for (const std::string& factor : term.factors) {
      if (!product.empty()) product += "·";
      product += factor;
    }
    text += product;
  }
  if (first) text += " 0";
  return text;
}

}  // namespace fsieve
