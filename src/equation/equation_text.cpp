#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "base/natural_order.h"
#include "base/number.h"
#include "fsieve/equation.h"
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

// 3.00·x1·x4²; `coefficient` is empty for 1, which the constant term (`size`) still shows.
std::string plain_product(std::string product, const std::string& size, const Term& term) {
  if (term.factors.empty()) return size;
  for (std::size_t f = 0; f < term.factors.size();) {
    const std::size_t power = times_in_a_row(term.factors, f);
    if (!product.empty()) product += "·";
    product += term.factors[f];
    if (power > 1) product += kSuperscripts.at(power);
    f += power;
  }
  return product;
}

// x², √x, x^1.33
std::string power_text(const std::string& factor, double power) {
  if (power == 1) return factor;
  if (power == 0.5) return "√" + factor;
  const double whole = std::round(power);
  if (power == whole && whole >= 2 && whole < static_cast<double>(kSuperscripts.size())) {
    return factor + std::string(kSuperscripts.at(static_cast<std::size_t>(whole)));
  }
  return fmt::format("{}^{:.3g}", factor, power);
}

// As people write fractions: 8.31·n·T/V, weight/height², 6.28·√(l/g).
std::string product_of_powers(const std::string& coefficient, const Term& term) {
  // One root over all where every factor is under one.
  const bool root =
      term.factors.size() > 1 && std::all_of(term.powers.begin(), term.powers.end(),
                                             [](double power) { return std::abs(power) == 0.5; });
  std::string above;
  std::string below;
  std::size_t divisors = 0;
  for (std::size_t f = 0; f < term.factors.size(); ++f) {
    const double power = root ? 2 * term.powers[f] : term.powers[f];
    std::string& part = power > 0 ? above : below;
    if (power < 0) ++divisors;
    if (!part.empty()) part += "·";
    part += power_text(term.factors[f], std::abs(power));
  }
  if (divisors > 1) below = "(" + below + ")";
  if (!below.empty()) below = "/" + below;
  if (root) {
    const std::string under = "√(" + (above.empty() ? "1" : above) + below + ")";
    return coefficient.empty() ? under : coefficient + "·" + under;
  }
  if (above.empty()) return (coefficient.empty() ? "1" : coefficient) + below;
  return (coefficient.empty() ? "" : coefficient + "·") + above + below;
}

}  // namespace

void order_naturally(Equation& equation) {
  for (Term& term : equation.terms) {
    std::vector<std::size_t> order(term.factors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return naturally_before(term.factors[a], term.factors[b]);
    });
    Term sorted{term.coefficient, {}, {}};
    for (const std::size_t f : order) {
      sorted.factors.push_back(std::move(term.factors[f]));
      if (!term.powers.empty()) sorted.powers.push_back(term.powers[f]);
    }
    term = std::move(sorted);
  }
  // The constant stands last.
  std::stable_sort(equation.terms.begin(), equation.terms.end(), [](const Term& a, const Term& b) {
    if (a.factors.empty() || b.factors.empty()) return b.factors.empty() && !a.factors.empty();
    if (a.factors.size() != b.factors.size()) return a.factors.size() < b.factors.size();
    return std::lexicographical_compare(a.factors.begin(), a.factors.end(), b.factors.begin(),
                                        b.factors.end(), naturally_before);
  });
}

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
    const std::string size = number(std::abs(term.coefficient));
    text += !term.powers.empty() ? product_of_powers(one ? "" : size, term)
                                 : plain_product(one ? "" : size, size, term);
  }
  if (first) text += " 0";
  return text;
}

}  // namespace fsieve
