// Products of powers of design columns, in original units: equations are sums of them.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace fsieve::inline equation {

struct RaisedColumn {
  std::uint32_t column = 0;
  double power = 1;

  auto operator<=>(const RaisedColumn&) const = default;
};

// By column; empty: the constant 1.
using PowerProduct = std::vector<RaisedColumn>;

// x^power, with the usual powers by multiplication.
[[nodiscard]] double raised(double x, double power);

}  // namespace fsieve::equation
