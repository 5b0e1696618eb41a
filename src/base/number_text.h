// Numbers and counted nouns as a person reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fsieve::inline base {

// Four decimals; small values that would read 0.0000 in scientific form; "-" for none.
[[nodiscard]] std::string short_number(std::optional<double> value);

// An R²: four decimals, and what they do not show is 0, whatever rounding left of it.
[[nodiscard]] std::string share_number(double value);

// "1 feature", "12 features".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace fsieve::base
