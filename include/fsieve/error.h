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

  // Which mistake it is, for programs that answer one of them in their own way; the sentence may
  // change from version to version, its code does not.
  enum class Code {
    other,             // no program has needed to know
    no_such_column,    // a column that was asked for by its name is not in the table
    too_few_features,  // more features were asked for than can be chosen from
  };

  explicit Error(const std::string& message, Kind kind = Kind::data, Code code = Code::other)
      : std::runtime_error(message), kind_(kind), code_(code) {}
  Error(const std::string& message, Code code) : Error(message, Kind::data, code) {}

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] Code code() const noexcept { return code_; }

  // The same mistake, said with where it was made: "WHERE: ...".
  [[nodiscard]] Error in(const std::string& where) const {
    return Error(where + ": " + what(), kind_, code_);
  }

 private:
  Kind kind_;
  Code code_;
};

}  // namespace fsieve
