#include "page/equation_points.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace fsieve::inline page {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kAllPoints = 100'000;  // of all equations together
constexpr std::size_t kFewestPoints = 40;    // of one
constexpr std::size_t kMostPoints = 200;
constexpr double kSteps = 4095;
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A column, its logarithm, or the indicator of one of its levels.
struct Place {
  std::size_t column = 0;
  double (*logarithm)(double) = nullptr;
  std::optional<double> level = std::nullopt;
};

class Names {
 public:
  explicit Names(const Schema& schema) : schema_(schema) {
    for (std::size_t j = 0; j < schema.features.size(); ++j) {
      places_.emplace(schema.features[j].name, Place{j});
    }
    for (std::size_t j = 0; j < schema.features.size(); ++j) {
      const std::string& name = schema.features[j].name;
      places_.emplace("log(" + name + ")", Place{j, [](double x) { return std::log(x); }});
      places_.emplace("log(1 + " + name + ")", Place{j, [](double x) { return std::log1p(x); }});
    }
  }

  // "litres", "log(litres)" or "colour=red"; none: not of this table.
  [[nodiscard]] std::optional<Place> find(const std::string& name) const {
    if (const auto found = places_.find(name); found != places_.end()) return found->second;
    for (auto sign = name.find('='); sign != std::string::npos; sign = name.find('=', sign + 1)) {
      const auto found = places_.find(name.substr(0, sign));
      if (found == places_.end()) continue;
      const auto& levels = schema_.features[found->second.column].levels;
      const auto level = std::lower_bound(levels.begin(), levels.end(), name.substr(sign + 1));
      if (level == levels.end() || *level != name.substr(sign + 1)) continue;
      return Place{found->second.column, nullptr, static_cast<double>(level - levels.begin())};
    }
    return std::nullopt;
  }

 private:
  const Schema& schema_;
  std::unordered_map<std::string, Place> places_;
};

double value_at(const RowSample& sample, const Place& place, std::size_t row) {
  const double value = sample.column(place.column)[row];
  if (place.logarithm != nullptr) return place.logarithm(value);
  return place.level ? static_cast<double>(value == *place.level) : value;
}

// The right side of the equation, row by row; none where it names something else.
std::optional<std::vector<double>> given_by(const Equation& equation, const Names& names,
                                            const RowSample& sample) {
  const std::size_t rows = sample.rows;
  std::vector<double> sum(rows, 0);
  for (const Term& term : equation.terms) {
    std::vector<double> product(rows, term.coefficient);
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
      const double power = term.powers.empty() ? 1 : term.powers[f];
      const auto place = names.find(term.factors[f]);
      if (!place) return std::nullopt;
      for (std::size_t i = 0; i < rows; ++i) {
        const double value = value_at(sample, *place, i);
        product[i] *= power == 1 ? value : std::pow(value, power);
      }
    }
    for (std::size_t i = 0; i < rows; ++i) sum[i] += product[i];
  }
  const bool finite =
      std::all_of(sum.begin(), sum.end(), [](double value) { return std::isfinite(value); });
  if (!finite) return std::nullopt;
  return sum;
}

std::string coded(const std::vector<double>& values, double low, double high) {
  std::string text;
  text.reserve(2 * values.size());
  for (const double value : values) {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    const auto step = static_cast<std::size_t>(std::lround(share * kSteps));
    text += kDigits[step / 64];
    text += kDigits[step % 64];
  }
  return text;
}

}  // namespace

std::size_t rows_shown(std::size_t equations) {
  return std::clamp(kAllPoints / std::max<std::size_t>(equations, 1), kFewestPoints, kMostPoints);
}

json equation_points(const std::vector<Equation>& equations, const Schema& schema,
                     const RowSample& sample) {
  const Names names(schema);
  json all = json::array();
  for (const Equation& equation : equations) {
    const auto target = names.find(equation.target);
    if (!target) continue;
    const auto given = given_by(equation, names, sample);
    if (!given) continue;
    std::vector<double> observed;
    for (std::size_t i = 0; i < sample.rows; ++i) observed.push_back(value_at(sample, *target, i));
    const auto [least, most] = std::minmax_element(observed.begin(), observed.end());
    const auto [least_given, most_given] = std::minmax_element(given->begin(), given->end());
    const double low = std::min(*least, *least_given);
    const double high = std::max(*most, *most_given);
    if (!std::isfinite(high - low)) continue;
    all.push_back({{"target", equation.target},
                   {"low", low},
                   {"high", high},
                   {"observed", coded(observed, low, high)}});
    // An exact equation gives the same picture: half of the page's points.
    std::string places = coded(*given, low, high);
    if (places != all.back()["observed"]) all.back()["given"] = std::move(places);
  }
  return all;
}

}  // namespace fsieve::page
