#include "basis/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "base/number.h"
#include "fsieve/error.h"
#include "fsieve/family.h"

namespace fsieve {
namespace {

constexpr std::size_t chunk_rows = 256;
// Deeper than anyone writes by hand; a text of ten thousand brackets must not end the program.
constexpr int deepest = 100;

enum class Operation {
  number,
  a,
  b,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  absolute,
  root,
  logarithm,
  exponential,
  sine,
  cosine,
  hyperbolic_tangent,
  sign,
  minimum,
  maximum
};

struct Instruction {
  Operation operation = Operation::number;
  double value = 0;  // of a number
};

struct NamedFunction {
  std::string_view name;
  Operation operation;
  int arguments;
};

constexpr std::array functions{NamedFunction{"abs", Operation::absolute, 1},
                               NamedFunction{"sqrt", Operation::root, 1},
                               NamedFunction{"log", Operation::logarithm, 1},
                               NamedFunction{"exp", Operation::exponential, 1},
                               NamedFunction{"sin", Operation::sine, 1},
                               NamedFunction{"cos", Operation::cosine, 1},
                               NamedFunction{"sign", Operation::sign, 1},
                               NamedFunction{"min", Operation::minimum, 2},
                               NamedFunction{"max", Operation::maximum, 2},
                               NamedFunction{"tanh", Operation::hyperbolic_tangent, 1}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent; what comes out is a list of instructions for a stack of columns.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::vector<Instruction> parse() {
    skip_blanks();
    if (at_ == text_.size()) fail("there is nothing");
    sum();
    if (at_ < text_.size()) {
      fail(text_[at_] == ')' ? "a bracket closes that was not opened"
                             : fmt::format("\"{}\" is not expected here", symbol()));
    }
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    // Characters, not bytes, are what a person counts.
    const auto before =
        std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_),
                      [](char c) { return (c & 0xC0) != 0x80; });
    throw Error(fmt::format("the function \"{}\", character {}: {}", text_, before + 1, why),
                Error::Kind::usage);
  }

  // The whole character at the reading position.
  [[nodiscard]] std::string_view symbol() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    return std::string_view(text_).substr(at_, end - at_);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view wanted) {
    if (!std::string_view(text_).substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    skip_blanks();
    return true;
  }

  bool take_minus() { return take("-") || take("−"); }

  void emit(Operation operation, double value = 0) { program_.push_back({operation, value}); }

  void sum() {
    term();
    for (;;) {
      if (take("+")) {
        term();
        emit(Operation::add);
      } else if (take_minus()) {
        term();
        emit(Operation::subtract);
      } else {
        return;
      }
    }
  }

  void term() {
    signed_power();
    for (;;) {
      if (std::string_view(text_).substr(at_).starts_with("**")) fail("a power is written ^");
      if (take("*")) {
        signed_power();
        emit(Operation::multiply);
      } else if (take("/")) {
        signed_power();
        emit(Operation::divide);
      } else {
        return;
      }
    }
  }

  // −a^2 is −(a^2); a^−b and a^b^c = a^(b^c) are as in mathematics.
  void signed_power() {
    if (++depth_ > deepest) fail("this is nested too deeply");
    if (take_minus()) {
      signed_power();
      emit(Operation::negate);
    } else if (take("+")) {
      signed_power();
    } else {
      primary();
      if (take("^")) {
        signed_power();
        emit(Operation::power);
      }
    }
    --depth_;
  }

  void primary() {
    if (at_ == text_.size()) fail("the expression ends too early");
    if (take("(")) {
      sum();
      close();
    } else if (is_digit(text_[at_]) || text_[at_] == '.') {
      number();
    } else if (is_letter(text_[at_])) {
      named();
    } else {
      fail(fmt::format("\"{}\" is not expected here", symbol()));
    }
  }

  void close() {
    if (!take(")")) fail(at_ == text_.size() ? "a bracket is not closed" : "a ) is expected here");
  }

  void number() {
    const LeadingNumber read = leading_number(std::string_view(text_).substr(at_));
    if (read.length == 0) fail("this is not a number");
    if (std::isinf(read.value)) fail("this is not a number that can be held: it is too large");
    at_ += read.length;
    skip_blanks();
    emit(Operation::number, read.value);
  }

  void named() {
    const std::size_t start = at_;
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view name = std::string_view(text_).substr(start, end - start);
    if (name == "a" || name == "b") {
      at_ = end;
      skip_blanks();
      return emit(name == "a" ? Operation::a : Operation::b);
    }
    const auto known = std::find_if(functions.begin(), functions.end(),
                                    [&](const NamedFunction& f) { return f.name == name; });
    if (known == functions.end()) {
      std::vector<std::string_view> names;
      names.reserve(functions.size());
      for (const NamedFunction& function : functions) names.push_back(function.name);
      fail(fmt::format("\"{}\" is neither a nor b nor one of {}", name, fmt::join(names, ", ")));
    }
    at_ = end;
    skip_blanks();
    if (!take("(")) fail(fmt::format("{} needs brackets", name));
    for (int argument = 0; argument < known->arguments; ++argument) {
      if (argument > 0 && !take(","))
        fail(fmt::format("{} takes two values, a comma between", name));
      sum();
    }
    if (at_ < text_.size() && text_[at_] == ',') {
      fail(fmt::format("{} takes {}", name, known->arguments == 1 ? "one value" : "two values"));
    }
    close();
    emit(known->operation);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Instruction> program_;
};

double sign_of(double x) { return x > 0 ? 1 : (x < 0 ? -1 : x); }

template <typename F>
void on_top(std::vector<double>& stack, std::size_t top, std::size_t rows, const F& f) {
  double* x = stack.data() + (top - 1) * chunk_rows;
  for (std::size_t i = 0; i < rows; ++i) x[i] = f(x[i]);
}

template <typename F>
void on_two(std::vector<double>& stack, std::size_t& top, std::size_t rows, const F& f) {
  --top;
  double* x = stack.data() + (top - 1) * chunk_rows;
  const double* y = x + chunk_rows;
  for (std::size_t i = 0; i < rows; ++i) x[i] = f(x[i], y[i]);
}

// Applies one instruction to the columns on the stack.
void apply(const Instruction& step, std::vector<double>& stack, std::size_t& top, std::size_t rows,
           const double* a, const double* b) {
  const auto push = [&] {
    if (stack.size() < (top + 1) * chunk_rows) stack.resize((top + 1) * chunk_rows);
    return stack.data() + top++ * chunk_rows;
  };
  switch (step.operation) {
    case Operation::number:
      std::fill_n(push(), rows, step.value);
      break;
    case Operation::a:
      std::copy_n(a, rows, push());
      break;
    case Operation::b:
      std::copy_n(b, rows, push());
      break;
    case Operation::negate:
      return on_top(stack, top, rows, [](double x) { return -x; });
    case Operation::add:
      return on_two(stack, top, rows, [](double x, double y) { return x + y; });
    case Operation::subtract:
      return on_two(stack, top, rows, [](double x, double y) { return x - y; });
    case Operation::multiply:
      return on_two(stack, top, rows, [](double x, double y) { return x * y; });
    case Operation::divide:
      return on_two(stack, top, rows, [](double x, double y) { return x / y; });
    case Operation::power:
      return on_two(stack, top, rows,
                    [](double x, double y) { return y == 2 ? x * x : std::pow(x, y); });
    case Operation::absolute:
      return on_top(stack, top, rows, [](double x) { return std::abs(x); });
    case Operation::root:
      return on_top(stack, top, rows, [](double x) { return std::sqrt(x); });
    case Operation::logarithm:
      return on_top(stack, top, rows, [](double x) { return std::log(x); });
    case Operation::exponential:
      return on_top(stack, top, rows, [](double x) { return std::exp(x); });
    case Operation::sine:
      return on_top(stack, top, rows, [](double x) { return std::sin(x); });
    case Operation::cosine:
      return on_top(stack, top, rows, [](double x) { return std::cos(x); });
    case Operation::hyperbolic_tangent:
      return on_top(stack, top, rows, [](double x) { return std::tanh(x); });
    case Operation::sign:
      return on_top(stack, top, rows, sign_of);
    case Operation::minimum:
      return on_two(stack, top, rows, [](double x, double y) { return std::min(x, y); });
    case Operation::maximum:
      return on_two(stack, top, rows, [](double x, double y) { return std::max(x, y); });
  }
}

void run(const std::vector<Instruction>& program, std::span<const double> a,
         std::span<const double> b, std::span<double> out) {
  std::vector<double> stack;
  for (std::size_t row = 0; row < out.size(); row += chunk_rows) {
    const std::size_t rows = std::min(chunk_rows, out.size() - row);
    std::size_t top = 0;
    for (const Instruction& step : program) {
      apply(step, stack, top, rows, a.data() + row, b.empty() ? nullptr : b.data() + row);
    }
    std::copy_n(stack.data(), rows, out.data() + row);
  }
}

}  // namespace

UserFunction parse_function(const std::string& text) {
  std::vector<Instruction> program = Parser(text).parse();
  const auto uses = [&](Operation letter) {
    return std::any_of(program.begin(), program.end(),
                       [&](const Instruction& step) { return step.operation == letter; });
  };
  const bool two = uses(Operation::a) && uses(Operation::b);
  if (!two && !uses(Operation::a) && !uses(Operation::b)) {
    throw Error(fmt::format("the function \"{}\" uses neither a nor b", text), Error::Kind::usage);
  }
  UserFunction function{text, two ? 2 : 1, {}};
  if (!two) {
    // A function of b alone is a function of one feature.
    for (Instruction& step : program) {
      if (step.operation == Operation::b) step.operation = Operation::a;
    }
  }
  function.evaluate = [program = std::move(program)](
                          std::span<const double> a, std::span<const double> b,
                          std::span<double> out) { run(program, a, b, out); };
  return function;
}

std::string basis::with_arguments(std::string_view text, std::string_view a, std::string_view b) {
  std::string filled;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_letter(text[i]) && !is_digit(text[i])) {
      filled += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word == "a") {
      filled += a;
    } else if (word == "b") {
      filled += b.empty() ? a : b;
    } else {
      filled += word;
    }
    i = end;
  }
  return filled;
}

}  // namespace fsieve
