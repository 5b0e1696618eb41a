#include "base/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace fsieve::inline base {

std::string short_number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "-";
  if (*value != 0 && std::abs(*value) < 5e-5) return fmt::format("{:.1e}", *value);
  return fmt::format("{:.4f}", *value);
}

std::string share_number(double value) {
  return short_number(std::abs(value) < 5e-5 ? 0.0 : value);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace fsieve::base
