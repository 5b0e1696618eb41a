// The one exception type of fsieve.
#pragma once

#include <stdexcept>
#include <string>

namespace fsieve {

// What went wrong, in one sentence a user can act on. The kind decides the exit code of the
// command line: data 1, usage 2, interrupted 130.
class Error : public std::runtime_error {
 public:
  enum class Kind { data, usage, interrupted };

  explicit Error(const std::string& message, Kind kind = Kind::data)
      : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

}  // namespace fsieve
