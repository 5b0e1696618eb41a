#include "data/label_rows.h"

#include <algorithm>

namespace fsieve::inline data {
namespace {

// Classes that no row has are left out; the others keep their order.
void take_classes(const Label& whole, const std::vector<std::size_t>& rows, LabelRows& some) {
  std::vector<std::size_t> place(whole.classes.size(), 0);
  for (const std::size_t i : rows) place[whole.codes[i]] = 1;
  for (std::size_t c = 0; c < place.size(); ++c) {
    const bool occurs = place[c] != 0;
    place[c] = some.classes.size();
    if (!occurs) continue;
    some.classes.push_back(c);
    some.label.classes.push_back(whole.classes[c]);
  }
  for (const std::size_t i : rows) some.label.codes.push_back(place[whole.codes[i]]);
  if (some.classes.size() > 2) return;
  for (const std::size_t code : some.label.codes) {
    some.label.numbers.push_back(code == 0 ? -1.0 : 1.0);
  }
}

}  // namespace

bool LabelRows::varies() const {
  if (label.classification) return classes.size() > 1;
  const auto [least, most] = std::minmax_element(label.numbers.begin(), label.numbers.end());
  return least != label.numbers.end() && *least < *most;
}

LabelRows label_rows(const Label& label, const std::vector<std::size_t>& rows) {
  LabelRows some;
  some.label.classification = label.classification;
  some.label.rows = rows.size();
  if (label.classification) {
    take_classes(label, rows, some);
  } else {
    for (const std::size_t i : rows) some.label.numbers.push_back(label.numbers[i]);
  }
  for (const std::size_t i : rows) {
    some.label.weight += label.weight_of(i);
    if (!label.weights.empty()) some.label.weights.push_back(label.weights[i]);
  }
  return some;
}

}  // namespace fsieve::data
