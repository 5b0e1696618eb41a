// Families of functions by which features may depend on each other.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace fsieve {

enum class FamilyKind {
  multilinear,          // products of up to `degree` different features
  multilinear_squares,  // and the squares of single ones
  polynomial,           // all products of total degree up to `degree`
  functions             // the features themselves, and functions of one or two of them
};

// Values of a function for many rows at once. `b` is empty for a function of one feature. May be
// called from several threads.
using ColumnFunction = std::function<void(std::span<const double> a, std::span<const double> b,
                                          std::span<double> out)>;

// A function of one feature (a), or of two different ones (a and b).
struct UserFunction {
  std::string text;  // how equations write it, with the letters a and b: "sin(a)", "wave(a, b)"
  int arguments = 1;
  ColumnFunction evaluate;
};

// The function that an expression stands for: the letters a and b, numbers, + - * / ^, brackets,
// abs sqrt log exp sin cos tanh sign (of one value), min max (of two). Throws Error(usage), saying
// where, on anything else.
[[nodiscard]] UserFunction parse_function(const std::string& text);

struct Family {
  FamilyKind kind = FamilyKind::multilinear;
  int degree = 2;                       // 1 to 6; not for FamilyKind::functions
  std::vector<UserFunction> functions;  // for FamilyKind::functions only
  bool constant = true;                 // is the constant function in the family?
};

// Units in which variances are compared: each feature divided by its deviation, or as it is. User
// functions get the features standardised, or as they are.
enum class Scale { standard, none };

}  // namespace fsieve
