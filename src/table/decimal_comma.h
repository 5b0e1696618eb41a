// Numbers that are written with commas: 12,5 or 1,234.
#pragma once

#include <string_view>

namespace fsieve::io::inline table {

enum class CommaNumber {
  none,
  decimal,   // 12,5 and 0,125: nothing else can be meant
  either,    // 1,234: a decimal comma, or a separator of thousands
  separated  // 1,234,567 and 1.234,5: a separator of thousands in any case
};

[[nodiscard]] CommaNumber comma_number(std::string_view text);

}  // namespace fsieve::io::table
