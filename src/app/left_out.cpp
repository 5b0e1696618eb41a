#include "app/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/shown_text.h"
#include "fsieve/error.h"
#include "table/dates.h"
#include "table/glob.h"

namespace fsieve::inline app {
namespace {

using Asked = std::vector<std::pair<std::string_view, std::string>>;  // option, column

struct AskedFor {
  Asked operator()(const Request::Uffs& asked) const {
    return by("--protect", asked.options.protect, {});
  }
  Asked operator()(const Request::Sffs& asked) const {
    Asked all = by("--adjust", asked.options.adjust, by("--keep", asked.options.keep, {}));
    for (const FeatureCost& cost : asked.options.costs) all.emplace_back("--cost", cost.name);
    return all;
  }
  template <typename Options>
  Asked operator()(const Options& /*no names*/) const {
    return {};
  }

 private:
  static Asked by(std::string_view option, const std::vector<std::string>& names, Asked all) {
    for (const std::string& name : names) all.emplace_back(option, name);
    return all;
  }
};

// A column, or the date that it is a part of.
bool matches(const std::string& glob, const std::string& name) {
  const io::Glob pattern(glob);
  if (pattern.matches(name)) return true;
  const auto part = io::named_part(name);
  return part && pattern.matches(part->column);
}

}  // namespace

void check_not_left_out(const Request& request, const Schema& schema) {
  const std::vector<std::string>& exclude = request.data().exclude;
  if (exclude.empty()) return;
  for (const auto& asked : std::visit(AskedFor{}, request.method())) {
    const auto& [option, name] = asked;
    const auto is_it = [&](const Column& column) { return column.name == asked.second; };
    if (std::any_of(schema.features.begin(), schema.features.end(), is_it)) continue;
    for (const std::string& glob : exclude) {
      if (!matches(glob, name)) continue;
      throw Error(fmt::format("{}: column \"{}\" is left out by --exclude {}: name it in one of "
                              "the two only",
                              option, shown(name), shown(glob)),
                  Error::Kind::usage);
    }
  }
}

}  // namespace fsieve::app
