// The parts of the page that are the same for every table: src/page/web, put here by the build.
#pragma once

#include <string_view>

namespace fsieve::inline page {

struct PageText {
  std::string_view html;  // with {{names}} where the other parts go
  std::string_view style;
  std::string_view script;
  std::string_view style_hash;  // as a Content-Security-Policy has them
  std::string_view script_hash;
};

[[nodiscard]] const PageText& page_text();

}  // namespace fsieve::page
