#include "data/class_order.h"

#include <algorithm>
#include <numeric>

#include "base/number.h"

namespace fsieve::inline data {
namespace {

// Empty where one of them is not a number.
std::vector<double> as_numbers(const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    const auto number = number_in(text);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<std::size_t> class_order(const std::vector<std::string>& classes) {
  const std::vector<double> numbers = as_numbers(classes);
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (!numbers.empty() && numbers[a] != numbers[b]) return numbers[a] < numbers[b];
    return classes[a] < classes[b];
  });
  return order;
}

}  // namespace fsieve::data
