#include "base/json_text.h"

#include "fsieve/error.h"

namespace fsieve::inline base {
namespace {

// Brackets that are open at once, those in strings left out.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

nlohmann::ordered_json json_in(std::string_view text) {
  if (too_deep(text)) throw Error("its brackets are nested too deeply");
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::ordered_json::exception&) {
    throw Error("it is not JSON");
  }
}

}  // namespace fsieve::base
