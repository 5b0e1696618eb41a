// A locale that writes 1.5 as 1,5, as C++ sees it where a program that embeds the library has set
// one.
#pragma once

#include <clocale>
#include <string>
#include <string_view>

namespace fsieve {

// Sets one for as long as this lives. A machine may have none.
class CommaLocale {
 public:
  CommaLocale() {
    for (const char* const name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"}) {
      if (std::setlocale(LC_ALL, name) == nullptr) continue;
      set_ = std::string_view(std::localeconv()->decimal_point) == ",";
      if (set_) return;
    }
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale() { std::setlocale(LC_ALL, before_.c_str()); }

  [[nodiscard]] bool set() const { return set_; }

 private:
  std::string before_ = std::setlocale(LC_ALL, nullptr);
  bool set_ = false;
};

inline constexpr const char* kNoCommaLocale =
    "no locale with a decimal comma: tools/setup --tests makes one";

}  // namespace fsieve
