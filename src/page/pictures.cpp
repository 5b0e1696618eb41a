#include "page/pictures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/number.h"
#include "page/axis.h"
#include "page/cells.h"

namespace fsieve::inline page {
namespace {

using json = nlohmann::ordered_json;
using Subset = std::vector<std::size_t>;  // places in the sample

constexpr std::size_t kLooked = 12;     // selected features among which pairs are looked for
constexpr std::size_t kTogether = 4;    // pictures of subsets that came in together
constexpr std::size_t kPairs = 4;       // pictures of pairs that are more than their parts
constexpr std::size_t kSingles = 6;     // pictures of single features
constexpr double kWorthShowing = 0.01;  // by how much a pair must beat its parts
constexpr double kRowsPerCell = 10;     // on average, at least
constexpr std::size_t kMostSteps = 8;

// How fine `axes` axes may be, for cells that have some rows.
std::size_t finest(std::size_t rows, std::size_t axes) {
  const double cells = static_cast<double>(rows) / kRowsPerCell;
  const double steps = std::floor(std::pow(cells, 1.0 / static_cast<double>(axes)));
  const std::size_t most = axes == 3 ? 4 : kMostSteps;
  return std::clamp(static_cast<std::size_t>(std::max(steps, 2.0)), std::size_t{2}, most);
}

class Album {
 public:
  Album(const Schema& schema, const RowSample& sample, const std::vector<std::string>& classes)
      : schema_(schema), sample_(sample) {
    const std::size_t last = sample.columns.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
      place_[schema.features[sample.columns[k]].name] = k;
    }
    take_response(sample.column(last), classes);
  }

  // Places of features that the sample has; empty when it has not all of them.
  [[nodiscard]] Subset places(const std::vector<std::string>& names) const {
    Subset subset;
    for (const std::string& name : names) {
      const auto found = place_.find(name);
      if (found == place_.end()) return {};
      subset.push_back(found->second);
    }
    return subset;
  }

  [[nodiscard]] json picture(const Subset& subset) const {
    const std::vector<Axis> axes = axes_of(subset);
    std::vector<const Axis*> all;
    json described = json::array();
    json names = json::array();
    json alone = json::array();
    for (const Axis& axis : axes) {
      all.push_back(&axis);
      names.push_back(axis.name);
      described.push_back({{"labels", axis.labels}, {"category", axis.category}});
      const Axis* const single = &axis;
      alone.push_back(left_out_score({&single, 1}, response_));
    }
    json object{{"features", names}, {"axes", described}, {"alone", alone}};
    object["together"] = left_out_score(all, response_);
    json& drawn = object["cells"] = json::array();
    for (const Cell& cell : cells(all, response_)) drawn.push_back(cell_json(cell));
    return object;
  }

  // By how much the cells of both predict better than those of the better one.
  [[nodiscard]] double gain(const Subset& pair) const {
    const std::vector<Axis> axes = axes_of(pair);
    const Axis* const first = &axes[0];
    const Axis* const second = &axes[1];
    const Axis* const both[] = {first, second};
    return left_out_score(both, response_) - std::max(left_out_score({&first, 1}, response_),
                                                      left_out_score({&second, 1}, response_));
  }

 private:
  // Classes go by their place in the result, whatever the label's values or levels are.
  void take_response(std::span<const double> values, const std::vector<std::string>& classes) {
    response_.number = classes.empty();
    response_.classes = classes.size();
    response_.values.assign(values.begin(), values.end());
    if (response_.number) return;
    std::map<double, double> place;
    for (std::size_t k = 0; k < classes.size(); ++k) {
      place[label_value(classes[k])] = static_cast<double>(k);
    }
    for (double& value : response_.values) value = place[value];
  }

  // How a block spells a class: as the number, or as the position of the level.
  [[nodiscard]] double label_value(const std::string& name) const {
    const Column& label = *schema_.label;
    if (label.kind == ColumnKind::numeric) return number_in(name).value_or(0);
    const auto level = std::lower_bound(label.levels.begin(), label.levels.end(), name);
    return static_cast<double>(level - label.levels.begin());
  }

  [[nodiscard]] std::vector<Axis> axes_of(const Subset& subset) const {
    const std::size_t most = finest(sample_.rows, subset.size());
    std::vector<Axis> axes;
    for (const std::size_t k : subset) {
      axes.push_back(make_axis(schema_.features[sample_.columns[k]], sample_.column(k), most));
    }
    return axes;
  }

  // [rows], and the mean, the share of the second of two classes, or the class that is most
  // frequent and its share.
  [[nodiscard]] json cell_json(const Cell& cell) const {
    json object = json::array({cell.rows});
    if (cell.rows == 0) return object;
    const auto rows = static_cast<double>(cell.rows);
    if (response_.number) {
      object.push_back(cell.sum / rows);
    } else if (response_.classes == 2) {
      object.push_back(static_cast<double>(cell.counts[1]) / rows);
    } else {
      const auto most = std::max_element(cell.counts.begin(), cell.counts.end());
      object.push_back(most - cell.counts.begin());
      object.push_back(static_cast<double>(*most) / rows);
    }
    return object;
  }

  const Schema& schema_;
  const RowSample& sample_;
  std::map<std::string, std::size_t> place_;
  Response response_;
};

// Pairs of the best selected features, those that gain most first.
std::vector<Subset> promising_pairs(const Album& album, const Subset& selected,
                                    const std::set<Subset>& shown) {
  std::vector<std::pair<double, Subset>> found;
  const std::size_t looked = std::min(selected.size(), kLooked);
  for (std::size_t i = 0; i < looked; ++i) {
    for (std::size_t j = i + 1; j < looked; ++j) {
      Subset pair{selected[i], selected[j]};
      Subset sorted = pair;
      std::sort(sorted.begin(), sorted.end());
      if (shown.contains(sorted)) continue;
      const double gain = album.gain(pair);
      if (gain > kWorthShowing) found.emplace_back(gain, std::move(pair));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Subset> pairs;
  for (auto& [gain, pair] : found) {
    if (pairs.size() == kPairs) break;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

std::vector<std::size_t> pictured_features(const PictureWishes& wishes, const Schema& schema) {
  std::set<std::string> names(wishes.selected.begin(),
                              wishes.selected.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                            wishes.selected.size(), kLooked)));
  for (const auto& subset : wishes.subsets) names.insert(subset.begin(), subset.end());
  std::vector<std::size_t> features;
  for (std::size_t j = 0; j < schema.features.size(); ++j) {
    if (names.contains(schema.features[j].name)) features.push_back(j);
  }
  return features;
}

json pictures(const PictureWishes& wishes, const Schema& schema, const RowSample& sample) {
  const Album album(schema, sample, wishes.classes);
  json all = json::array();
  std::set<Subset> shown;
  for (const auto& names : wishes.subsets) {
    if (shown.size() == kTogether) break;
    if (names.size() < 2 || names.size() > 3) continue;
    Subset subset = album.places(names);
    if (subset.empty()) continue;
    all.push_back(album.picture(subset));
    std::sort(subset.begin(), subset.end());
    shown.insert(subset);
  }
  Subset selected;
  for (const std::string& name : wishes.selected) {
    const Subset place = album.places({name});
    if (!place.empty()) selected.push_back(place.front());
  }
  for (const Subset& pair : promising_pairs(album, selected, shown)) {
    all.push_back(album.picture(pair));
  }
  for (std::size_t k = 0; k < std::min(selected.size(), kSingles); ++k) {
    all.push_back(album.picture({selected[k]}));
  }
  return all;
}

}  // namespace fsieve::page
