#include "table/signed_number.h"

#include <array>

#include "table/cell_text.h"
#include "table/decimal_comma.h"

namespace fsieve::io::inline table {
namespace {

constexpr std::array<std::string_view, 6> kSigns{"%", "$", "€", "£", "¥", "‰"};

bool is_number(std::string_view text) {
  double value = 0;
  return parse_number(text, value) || comma_number(text) != CommaNumber::none;
}

}  // namespace

std::string_view sign_beside_number(std::string_view text) {
  text = trim_blanks(text);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  for (const std::string_view sign : kSigns) {
    if (text.size() <= sign.size()) continue;
    const std::size_t size = text.size() - sign.size();
    const bool before = text.starts_with(sign) && is_number(trim_blanks(text.substr(sign.size())));
    const bool behind = text.ends_with(sign) && is_number(trim_blanks(text.substr(0, size)));
    if (before || behind) return sign;
  }
  return {};
}

}  // namespace fsieve::io::table
