// Dates and times as people write them: texts to days since 1970-01-01 (UTC). docs/data.md has the
// list.
#pragma once

#include <array>
#include <string_view>

namespace fsieve::io::inline table {

// What a column keeps to. 01/02/2024 alone does not tell; the column it stands in may.
enum class DateStyle {
  certain,     // 2024-05-31, 2024/05/31, 31-May-2024, May 31, 2024: no two ways to read it
  day_first,   // 31/05/2024, 31.05.2024
  month_first  // 05/31/2024
};
inline constexpr std::array kDateStyles{DateStyle::certain, DateStyle::day_first,
                                        DateStyle::month_first};

// A date, or one with a time behind it: "2024-05-31T18:30", "5/31/2024 6:30 PM",
// "2024-05-31 18:30:05.25+02:00". False for any other text.
[[nodiscard]] bool parse_date(std::string_view text, DateStyle style, double& days);

}  // namespace fsieve::io::table
