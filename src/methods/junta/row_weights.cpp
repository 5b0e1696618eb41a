#include "methods/junta/row_weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "fsieve/error.h"
#include "methods/junta/truth_value.h"

namespace fsieve::inline methods {
namespace {

// A class may be spelled as another language or format does: 1 for 1.0, True for 1.
bool names_class(const std::string& asked, const std::string& name,
                 const std::array<std::string, 2>& classes) {
  if (asked == name) return true;
  const auto number = number_in(asked);
  if (number && number == number_in(name)) return true;
  const auto is_second = TruthPair(classes[0], classes[1]).is_second(asked);
  return is_second && classes[*is_second ? 1 : 0] == name;
}

}  // namespace

RowWeights::RowWeights(std::array<double, 2> of_class, std::span<const std::uint32_t> rows)
    : even_(of_class[0] == of_class[1]) {
  if (even_) return;
  const double n = static_cast<double>(rows[0]) + static_cast<double>(rows[1]);
  const double all = of_class[0] * rows[0] + of_class[1] * rows[1];
  for (std::size_t c = 0; c < 2; ++c) {
    of_[c] = of_class[c] * n / all;
    among_others_[c] = of_class[c] / (all - of_class[c]);
  }
}

RowWeights row_weights(const ClassWeights& asked, const std::string& label,
                       const std::array<std::string, 2>& classes,
                       std::span<const std::uint32_t> rows) {
  if (asked.balanced) return {{static_cast<double>(rows[1]), static_cast<double>(rows[0])}, rows};
  std::array<double, 2> weights{1, 1};
  for (const auto& [name, weight] : asked.given) {
    const bool first = names_class(name, classes[0], classes);
    if (!first && !names_class(name, classes[1], classes)) {
      throw Error(fmt::format(R"(--class-weight: "{}" is no class of label "{}" ({}, {}))", name,
                              label, classes[0], classes[1]));
    }
    weights[first ? 0 : 1] = weight;
  }
  const double n = static_cast<double>(rows[0]) + static_cast<double>(rows[1]);
  const auto [least, most] = std::minmax(weights[0], weights[1]);
  if (!(n * most < 1e15 * least)) {
    throw Error(fmt::format("--class-weight: {} and {} are too far apart to be added up",
                            weights[0], weights[1]));
  }
  return {weights, rows};
}

}  // namespace fsieve::methods
