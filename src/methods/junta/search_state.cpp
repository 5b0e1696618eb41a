#include "methods/junta/search_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/json_text.h"
#include "bits/subset_tiles.h"
#include "data/fingerprint.h"
#include "fsieve/error.h"
#include "fsieve/version.h"

namespace fsieve::inline methods {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view format_name = "fsieve checkpoint";
constexpr std::uint64_t format_version = 2;  // 1 had a position in a walk of its own

// The checksum is the last member and covers every byte before this.
constexpr std::string_view before_checksum = ",\n \"checksum\": \"";
constexpr std::string_view after_checksum = "\"\n}\n";

[[noreturn]] void refuse(const std::string& message) { throw CheckpointError(message); }

std::string checksum_of(std::string_view content) {
  Fingerprint sum;
  sum.add(content);
  return sum.text();
}

json identity_json(const SearchIdentity& search) {
  return {{"command", "learn"},
          {"fsieve", version()},
          {"learner", search.learner},
          {"basis", search.basis},
          {"k", search.k},
          {"top", search.top},
          {"features", search.features},
          {"rows", search.rows},
          {"data", search.data},
          {"class_weights", search.class_weights ? json(*search.class_weights) : json(nullptr)}};
}

// Is the text whole? `content` then is all of it but the checksum.
bool checksum_fits(std::string_view text) {
  const std::size_t at = text.rfind(before_checksum);
  if (at == std::string_view::npos) return false;
  const std::string_view content = text.substr(0, at);
  return text.substr(at) ==
         fmt::format("{}{}{}", before_checksum, checksum_of(content), after_checksum);
}

// Reads one checkpoint, and knows what to call it when something is wrong.
class Reader {
 public:
  Reader(const SearchIdentity& search, const std::string& name) : search_(search), name_(name) {}

  [[nodiscard]] SearchState read(const std::string& text) const {
    const json object = parsed(text);
    check_format(object);
    if (!checksum_fits(text)) damaged("its checksum is not that of its content");
    check_search(member(object, "search"));
    SearchState state;
    read_done(member(object, "done"), state);
    read_best(member(object, "best"), state);
    return state;
  }

 private:
  // Null where it is no JSON to read, which check_format refuses.
  [[nodiscard]] static json parsed(const std::string& text) {
    try {
      return json_in(text);
    } catch (const Error&) {
      return nullptr;
    }
  }

  [[noreturn]] void damaged(const std::string& what) const { damaged_checkpoint(name_, what); }

  [[nodiscard]] const json& member(const json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) {
      damaged(fmt::format("\"{}\" is missing", key));
    }
    return object.at(key);
  }

  [[nodiscard]] std::uint64_t count(const json& value, std::string_view what) const {
    if (!value.is_number_unsigned()) damaged(fmt::format("{} is not a count", what));
    return value.get<std::uint64_t>();
  }

  void check_format(const json& object) const {
    const bool known = object.is_object() && object.contains("format") &&
                       object.at("format") == format_name && object.contains("version");
    if (!known) {
      refuse(fmt::format("{} is not a checkpoint of fsieve learn, or is damaged; name another file",
                         name_));
    }
    const json& found = object.at("version");
    if (found == format_version) return;
    refuse(fmt::format(
        "checkpoint {} is of format {}, and this fsieve reads format {}; remove the "
        "file or name another",
        name_, found.dump(-1, ' ', true, json::error_handler_t::replace), format_version));
  }

  void check_search(const json& found) const {
    const json wanted = identity_json(search_);
    for (const auto& [key, here] : wanted.items()) {
      // Older checkpoints do not speak of weights.
      const bool unsaid = key == "class_weights" && found.is_object() && !found.contains(key);
      const json there = unsaid ? json(nullptr) : member(found, key.c_str());
      if (there == here) continue;
      const std::string which =
          key == "data"
              ? "its data are others"
              : fmt::format("{} is {} there and {} here", key,
                            there.dump(-1, ' ', true, json::error_handler_t::replace), here.dump());
      refuse(
          fmt::format("checkpoint {} belongs to another search: {}; remove the file or name "
                      "another",
                      name_, which));
    }
  }

  void read_done(const json& list, SearchState& state) const {
    if (!list.is_array()) damaged("\"done\" is not a list");
    std::optional<std::uint64_t> last;
    for (const json& pair : list) {
      if (!pair.is_array() || pair.size() != 2) damaged("\"done\" is not a list of pairs");
      const NumberRange range{count(pair[0], "a bound in \"done\""),
                              count(pair[1], "a bound in \"done\"")};
      const bool in_order = range.first < range.end && range.end <= search_.subsets() &&
                            (!last || range.first > *last);
      if (!in_order) {
        damaged(
            fmt::format("{} to {} in \"done\" is no range of its place", range.first, range.end));
      }
      last = range.end;
      state.done.add(range);
    }
  }

  void read_best(const json& list, SearchState& state) const {
    if (!list.is_array()) damaged("\"best\" is not a list");
    const std::uint64_t wanted = search_.kept(state.done.size());
    if (list.size() != wanted) {
      damaged(fmt::format("\"best\" has {} subsets and not {}", list.size(), wanted));
    }
    for (const json& entry : list) {
      state.best.push_back(read_subset(entry));
      const ScoredSubset& subset = state.best.back();
      if (!state.done.contains(subset_number(subset.features))) {
        damaged("a subset in \"best\" is not among those that are done");
      }
      if (state.best.size() < 2) continue;
      const ScoredSubset& before = state.best[state.best.size() - 2];
      const bool in_order = before.score != subset.score ? before.score > subset.score
                                                         : before.features < subset.features;
      if (!in_order) damaged("\"best\" is not in its order");
    }
  }

  [[nodiscard]] ScoredSubset read_subset(const json& entry) const {
    ScoredSubset subset;
    const json& features = member(entry, "features");
    if (!features.is_array() || features.size() != search_.k) {
      damaged(fmt::format("a subset in \"best\" has not {} features", search_.k));
    }
    for (const json& value : features) {
      const std::uint64_t feature = count(value, "a feature in \"best\"");
      const bool ascending = subset.features.empty() || feature > subset.features.back();
      if (feature >= search_.features || !ascending) {
        damaged(fmt::format("{} in \"best\" is no feature of its place", feature));
      }
      subset.features.push_back(feature);
    }
    const json& score = member(entry, "score");
    if (!score.is_number() || !std::isfinite(score.get<double>())) {
      damaged("a score in \"best\" is not a number");
    }
    subset.score = score.get<double>();
    return subset;
  }

  const SearchIdentity& search_;
  const std::string& name_;
};

}  // namespace

void damaged_checkpoint(const std::string& name, const std::string& what) {
  refuse(fmt::format("checkpoint {} is damaged ({}); remove the file or name another", name, what));
}

std::uint64_t SearchIdentity::subsets() const { return choose_exactly(features, k); }

// The best one is kept even where none is to be listed.
std::uint64_t SearchIdentity::kept(std::uint64_t done) const {
  return std::min<std::uint64_t>(done, std::max<std::size_t>(top, 1));
}

std::string to_text(const SearchState& state, const SearchIdentity& search) {
  json done = json::array();
  for (const NumberRange& range : state.done.list()) done.push_back({range.first, range.end});
  json best = json::array();
  for (const ScoredSubset& subset : state.best) {
    best.push_back({{"features", subset.features}, {"score", subset.score}});
  }
  const json object{{"format", format_name},
                    {"version", format_version},
                    {"search", identity_json(search)},
                    {"done", std::move(done)},
                    {"best", std::move(best)}};
  std::string text = object.dump(1);
  text.resize(text.size() - 2);  // the line that closes the object
  const std::string sum = checksum_of(text);
  return text.append(before_checksum).append(sum).append(after_checksum);
}

SearchState state_from_text(const std::string& text, const SearchIdentity& search,
                            const std::string& name) {
  return Reader(search, name).read(text);
}

}  // namespace fsieve::methods
