// Products of powers of design columns and single logarithms, in original units: equations are sums
// of them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace fsieve::inline equation {

enum class Form : std::uint8_t { itself, log, log_of_one_more };

// A column, or a logarithm of it, to a power.
struct RaisedColumn {
  std::uint32_t column = 0;
  double power = 1;
  Form form = Form::itself;

  [[nodiscard]] bool plain() const { return power == 1 && form == Form::itself; }

  auto operator<=>(const RaisedColumn&) const = default;  // NOLINT(modernize-use-nullptr)
};

// By column; empty: the constant 1.
using PowerProduct = std::vector<RaisedColumn>;

// Of a value of its column; the usual powers by multiplication.
[[nodiscard]] double value_of(const RaisedColumn& factor, double x);

// As equations name it: wage, log(wage), log(1 + count).
[[nodiscard]] std::string named(Form form, const std::string& column);

}  // namespace fsieve::equation
