// "Did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fsieve::inline base {

// The candidate that a slip of the fingers could have turned into `typed`; empty when none is near.
[[nodiscard]] std::string_view nearest(std::string_view typed,
                                       std::span<const std::string_view> candidates);

// " (did you mean X?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::string_view prefix,
                                       std::span<const std::string_view> candidates);

}  // namespace fsieve::base
