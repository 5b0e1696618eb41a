#include "table/decimal_comma.h"

#include <cstddef>

#include "table/cell_text.h"

namespace fsieve::io::inline table {
namespace {

std::size_t leading_digits(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  return end == std::string_view::npos ? text.size() : end;
}

// Groups of three digits behind the first, each after `mark`; how many characters these are.
std::size_t groups_of_three(std::string_view text, char mark) {
  std::size_t at = 0;
  while (at < text.size() && text[at] == mark && leading_digits(text.substr(at + 1)) == 3) at += 4;
  return at;
}

// Two groups of three or more, or one and a fraction behind the other mark.
bool is_separated(std::string_view behind, char mark, char other) {
  const std::size_t groups = groups_of_three(behind, mark);
  if (groups == 0) return false;
  const std::string_view rest = behind.substr(groups);
  if (rest.empty()) return groups > 4;
  return rest[0] == other && leading_digits(rest.substr(1)) + 1 == rest.size();
}

}  // namespace

CommaNumber comma_number(std::string_view text) {
  text = trim_blanks(text);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const std::size_t before = leading_digits(text);
  if (before == 0 || before == text.size()) return CommaNumber::none;
  const std::string_view behind = text.substr(before);
  const bool short_group = before <= 3;
  if (short_group && (is_separated(behind, ',', '.') || is_separated(behind, '.', ','))) {
    return CommaNumber::separated;
  }
  if (behind[0] != ',') return CommaNumber::none;
  const std::size_t decimals = leading_digits(behind.substr(1));
  if (decimals == 0) return CommaNumber::none;
  std::string_view power = behind.substr(1 + decimals);
  if (!power.empty()) {
    if (power[0] != 'e' && power[0] != 'E') return CommaNumber::none;
    power.remove_prefix(1);
    if (!power.empty() && (power[0] == '-' || power[0] == '+')) power.remove_prefix(1);
    const bool digits = !power.empty() && leading_digits(power) == power.size();
    return digits ? CommaNumber::decimal : CommaNumber::none;
  }
  const bool grouped = short_group && decimals == 3 && text[0] != '0';
  return grouped ? CommaNumber::either : CommaNumber::decimal;
}

}  // namespace fsieve::io::table
