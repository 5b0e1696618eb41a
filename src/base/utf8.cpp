#include "base/utf8.h"

namespace fsieve::inline base {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned lead = byte_at(text, 0);
  const auto continued = [&](std::size_t length, unsigned low, unsigned high) {
    if (text.size() < length || byte_at(text, 1) < low || byte_at(text, 1) > high) return false;
    for (std::size_t i = 2; i < length; ++i) {
      if ((byte_at(text, i) & 0xC0U) != 0x80U) return false;
    }
    return true;
  };
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead <= 0xDF) return continued(2, 0x80, 0xBF) ? 2 : 0;
  if (lead <= 0xEF) {
    return continued(3, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) ? 3 : 0;
  }
  if (lead > 0xF4) return 0;
  return continued(4, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) ? 4 : 0;
}

char32_t utf8_code(std::string_view text, std::size_t length) {
  char32_t code = byte_at(text, 0);
  if (length > 1) code &= 0xFFU >> (length + 1);
  for (std::size_t i = 1; i < length; ++i) code = code << 6U | (byte_at(text, i) & 0x3FU);
  return code;
}

}  // namespace fsieve::base
