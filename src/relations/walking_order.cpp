#include "relations/walking_order.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace fsieve::relations {

std::vector<std::size_t> walking_order(const View& view, const std::vector<std::uint32_t>& columns,
                                       const std::function<bool(std::uint32_t column)>& gone,
                                       const std::map<std::uint32_t, std::size_t>& uses) {
  std::vector<std::size_t> features;
  for (const std::uint32_t c : columns) {
    const std::size_t j = view.design.columns[c].feature;
    if (c == view.design.features[j].first && !gone(c)) features.push_back(j);
  }
  const auto used = [&](std::size_t j) {
    const auto known = uses.find(static_cast<std::uint32_t>(view.design.features[j].first));
    return known == uses.end() ? std::size_t{0} : known->second;
  };
  const auto width = [&](std::size_t j) {
    return view.design.features[j].last - view.design.features[j].first;
  };
  // Wide categories, which others seldom write, write many others; then what relations use.
  std::stable_sort(features.begin(), features.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(view.stays(b), width(b), used(b)) <
           std::tuple(view.stays(a), width(a), used(a));
  });
  std::vector<Bundle> bundles;
  std::vector<double> values;
  std::size_t left = 0;
  for (const std::size_t j : features) left += width(j);
  if (!view.all_together(left)) return features;
  for (const std::size_t j : features) {
    const std::size_t first = view.sheet.rows == 0 ? 0 : values.size() / view.sheet.rows;
    bundles.push_back({first, first + width(j), used(j) == 0 && !view.stays(j)});
    values.insert(values.end(), view.sheet.column(view.design.features[j].first),
                  view.sheet.column(view.design.features[j].first) + width(j) * view.sheet.rows);
  }
  std::vector<double> deviations;
  const std::vector<double> products =
      gram(view.sheet.rows, standardised(view.sheet, std::move(values), deviations));
  const std::vector<std::size_t> last =
      eliminated(products, bundles, view.settings.epsilon, static_cast<double>(view.sheet.rows));
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < features.size(); ++k) {
    if (std::find(last.begin(), last.end(), k) == last.end()) order.push_back(features[k]);
  }
  std::transform(last.rbegin(), last.rend(), std::back_inserter(order),
                 [&](std::size_t k) { return features[k]; });
  return order;
}

}  // namespace fsieve::relations
