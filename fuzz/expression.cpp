// Expressions of --function: parsed, evaluated, and written with other names.
#include "basis/expression.h"

#include <array>
#include <limits>
#include <vector>

#include "fsieve/gfs.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  const std::string text(fuzz::text_of(data, size));
  UserFunction function;
  if (!fuzz::accepted([&] { function = parse_function(text); })) return 0;
  fuzz::expect(function.arguments == 1 || function.arguments == 2, "one argument or two");
  constexpr double huge = std::numeric_limits<double>::max();
  const std::array<double, 6> a{0, -1, 0.5, 1e-310, huge, -huge};
  const std::array<double, 6> b{-0.0, 2, 1e300, -3, huge, 7};
  std::array<double, 6> out{};
  if (function.arguments == 1) {
    function.evaluate(a, {}, out);
  } else {
    function.evaluate(a, b, out);
  }
  const std::string same = with_arguments(function.text, "a", "b");
  UserFunction again;
  fuzz::expect(fuzz::accepted([&] { again = parse_function(same); }), "its own text is accepted");
  fuzz::expect(again.arguments == function.arguments, "its own text means the same");
  return 0;
}
