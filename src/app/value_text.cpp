#include "app/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest.h"
#include "base/number.h"
#include "basis/parity.h"
#include "fsieve/error.h"
#include "fsieve/sample.h"

namespace fsieve::inline app {
namespace {

[[noreturn]] void refuse(std::string_view option, const std::string& what) {
  throw Error(fmt::format("{}: {}", option, what), Error::Kind::usage);
}

// The whole of `text` as a number of this type; false when it is not one.
template <typename T>
bool reads_as(std::string_view text, T& value) {
  const auto read = [&] {
    if constexpr (std::integral<T>) {
      return whole_number_in<T>(text);
    } else {
      return number_in(text);
    }
  }();
  value = read.value_or(value);
  return read.has_value();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Stage parse_stage(std::string_view option, std::string_view text) {
  const std::size_t colon = text.find(':');
  std::uint64_t depth = 0;
  if (!reads_as(text.substr(0, colon), depth)) {
    refuse(option, fmt::format("\"{}\" is not DEPTH or DEPTH:SIZE, as in 1,2:50,3:30", text));
  }
  if (depth < 1 || depth > max_depth) {
    refuse(option, fmt::format("depth {} is not between 1 and {}", depth, max_depth));
  }
  Stage stage;
  stage.depth = static_cast<int>(depth);
  if (colon == std::string_view::npos) return stage;
  std::uint64_t size = 0;
  if (!reads_as(text.substr(colon + 1), size)) {
    refuse(option, fmt::format("\"{}\" is not DEPTH or DEPTH:SIZE, as in 1,2:50,3:30", text));
  }
  if (size < 2) refuse(option, fmt::format("a group of {} is too small, 2 is the least", size));
  stage.group_size = size;
  return stage;
}

}  // namespace

void refuse(const std::string& message) { throw Error(message, Error::Kind::usage); }

double parse_number(std::string_view option, std::string_view text) {
  double value = 0;
  if (!reads_as(text, value)) {
    refuse(option, fmt::format("\"{}\" is not a number", text));
  }
  return value;
}

std::uint64_t parse_whole(std::string_view option, std::string_view text) {
  std::uint64_t value = 0;
  if (!reads_as(text, value)) {
    refuse(option, fmt::format("\"{}\" is not a whole number, 0 or more", text));
  }
  return value;
}

std::vector<double> parse_numbers(std::string_view option, std::string_view text) {
  std::vector<double> values;
  for (const std::string_view part : split(text, ',')) values.push_back(parse_number(option, part));
  return values;
}

std::vector<std::string> parse_list(std::string_view option, std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      parts.back() += text[++i];
    } else if (text[i] == ',') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  for (const std::string& part : parts) {
    if (part.empty()) refuse(option, fmt::format("an empty part in \"{}\"", text));
  }
  return parts;
}

std::vector<NamedNumber> parse_named_numbers(std::string_view option, std::string_view text,
                                             std::string_view example) {
  std::vector<NamedNumber> named;
  for (const std::string& one : parse_list(option, text)) {
    const std::size_t sign = one.rfind('=');
    if (sign == 0 || sign == std::string::npos) {
      refuse(option, fmt::format("\"{}\" is not a name and a number, as in {}", one, example));
    }
    const double number = parse_number(option, one.substr(sign + 1));
    if (!(number > 0)) refuse(option, fmt::format("{} is not above 0", one));
    named.push_back({one.substr(0, sign), number});
  }
  return named;
}

std::string parse_choice(std::string_view option, std::string_view text, std::string_view choices) {
  const std::vector<std::string_view> allowed = split(choices, '|');
  for (const std::string_view choice : allowed) {
    if (choice == text) return std::string(text);
  }
  refuse(option, fmt::format("\"{}\" is not one of {}{}", text, fmt::join(allowed, ", "),
                             did_you_mean(text, "", allowed)));
}

std::vector<Stage> parse_stages(std::string_view option, std::string_view text) {
  std::vector<Stage> stages;
  if (text == "auto") return stages;
  for (const std::string_view part : split(text, ',')) stages.push_back(parse_stage(option, part));
  return stages;
}

std::string stages_text(const std::vector<Stage>& stages) {
  if (stages.empty()) return "auto";
  std::string text;
  for (const Stage& stage : stages) {
    if (!text.empty()) text += ',';
    text += std::to_string(stage.depth);
    if (stage.group_size > 0) text += ':' + std::to_string(stage.group_size);
  }
  return text;
}

RuleChoice parse_rule(std::string_view option, std::string_view text) {
  if (text == "adjusted") return {Rule::adjusted, {}};
  if (text == "paper") return {Rule::paper, {}};
  constexpr std::string_view kCumulative = "cumulative";
  if (text == kCumulative || text == "cumulative:") {
    refuse(option, "cumulative needs a share, as in cumulative:0.9");
  }
  if (text.starts_with("cumulative:")) {
    RuleChoice choice{Rule::cumulative, parse_numbers(option, text.substr(kCumulative.size() + 1))};
    for (const double share : choice.share) {
      if (!(share > 0 && share <= 1)) {
        refuse(option, fmt::format("the share {} is not above 0 and at most 1", share));
      }
    }
    return choice;
  }
  const std::vector<std::string_view> allowed{"adjusted", "paper", "cumulative:S"};
  refuse(option, fmt::format("\"{}\" is not one of {}{}", text, fmt::join(allowed, ", "),
                             did_you_mean(text, "", allowed)));
}

std::string rule_text(const RuleChoice& choice) {
  switch (choice.rule) {
    case Rule::adjusted:
      return "adjusted";
    case Rule::paper:
      return "paper";
    case Rule::cumulative:
      break;
  }
  return fmt::format("cumulative:{}", fmt::join(choice.share, ","));
}

SearchChoice parse_search(std::string_view option, std::string_view text) {
  if (text == "forward") return {Search::forward, 1};
  if (text == "union") return {Search::unite, 1};
  constexpr std::string_view kBeam = "beam:";
  if (text.starts_with(kBeam)) {
    std::size_t states = 0;
    if (!reads_as(text.substr(kBeam.size()), states) || states == 0) {
      refuse(option, fmt::format("\"{}\" is not beam:W with a whole number W, 1 or more", text));
    }
    return {Search::beam, states};
  }
  if (text == "beam") refuse(option, "beam needs a number of states, as in beam:4");
  const std::vector<std::string_view> allowed{"forward", "union", "beam:W"};
  refuse(option, fmt::format("\"{}\" is not one of {}{}", text, fmt::join(allowed, ", "),
                             did_you_mean(text, "", allowed)));
}

std::string search_text(SearchChoice choice) {
  switch (choice.search) {
    case Search::forward:
      return "forward";
    case Search::unite:
      return "union";
    case Search::beam:
      break;
  }
  return fmt::format("beam:{}", choice.beam);
}

namespace {

struct NamedFamily {
  std::string_view name;
  FamilyKind kind;
};

constexpr std::array kFamilies{NamedFamily{"multilinear", FamilyKind::multilinear},
                               NamedFamily{"multilinear+squares", FamilyKind::multilinear_squares},
                               NamedFamily{"polynomial", FamilyKind::polynomial},
                               NamedFamily{"functions", FamilyKind::functions}};

}  // namespace

Family parse_family(std::string_view option, std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto* const known = std::find_if(kFamilies.begin(), kFamilies.end(),
                                         [&](const NamedFamily& f) { return f.name == name; });
  if (known == kFamilies.end()) {
    std::vector<std::string_view> names;
    names.reserve(kFamilies.size());
    for (const NamedFamily& family : kFamilies) names.push_back(family.name);
    refuse(option, fmt::format("\"{}\" is not one of multilinear:T, multilinear+squares:T, "
                               "polynomial:T, functions{}",
                               text, did_you_mean(name, "", names)));
  }
  Family family;
  family.kind = known->kind;
  if (family.kind == FamilyKind::functions) {
    if (name != text) refuse(option, "functions has no degree");
    return family;
  }
  if (name == text) {
    refuse(option, fmt::format("{0} needs a degree, as in {0}:2", name));
  }
  std::uint64_t degree = 0;
  if (!reads_as(text.substr(name.size() + 1), degree) || degree < 1 || degree > max_depth) {
    refuse(option, fmt::format("the degree \"{}\" is not a whole number between 1 and {}",
                               text.substr(name.size() + 1), max_depth));
  }
  family.degree = static_cast<int>(degree);
  return family;
}

std::string family_text(const Family& family) {
  const auto* const known = std::find_if(kFamilies.begin(), kFamilies.end(),
                                         [&](const auto& f) { return f.kind == family.kind; });
  if (family.kind == FamilyKind::functions) return std::string(known->name);
  return fmt::format("{}:{}", known->name, family.degree);
}

std::vector<UserFunction> parse_functions(std::string_view option, std::string_view text) {
  std::vector<UserFunction> functions;
  for (const std::string_view part : split(text, '\n')) {
    try {
      functions.push_back(parse_function(std::string(part)));
    } catch (const Error& error) {
      refuse(option, error.what());
    }
  }
  return functions;
}

std::optional<std::size_t> parse_count(std::string_view option, std::string_view text) {
  if (text == "auto" || text == "certain") return std::nullopt;
  std::size_t value = 0;
  if (!reads_as(text, value) || value == 0) {
    refuse(option, fmt::format("\"{}\" is not a whole number above 0, nor certain or auto", text));
  }
  return value;
}

std::size_t parse_sample(std::string_view option, std::string_view text) {
  if (text == "all") return every_row;
  std::size_t value = 0;
  if (!reads_as(text, value)) {
    refuse(option, fmt::format("\"{}\" is not a whole number of rows, nor all", text));
  }
  if (value < smallest_sample) {
    refuse(option,
           fmt::format("{} rows are too few to prepare anything on, give {} or more, or all", value,
                       smallest_sample));
  }
  return value;
}

RowRange parse_rows(std::string_view option, std::string_view text) {
  const std::size_t colon = text.find(':');
  RowRange range;
  const auto bad = [&] { refuse(option, fmt::format("\"{}\" is not A:B, as in 1:500", text)); };
  if (colon == std::string_view::npos) bad();
  const std::string_view first = text.substr(0, colon);
  const std::string_view last = text.substr(colon + 1);
  if (!first.empty() && !reads_as(first, range.first)) bad();
  if (!last.empty() && !reads_as(last, range.last)) bad();
  if (range.first < 1 || range.last < 1) refuse(option, "rows are counted from 1");
  if (range.first > range.last) {
    refuse(option, fmt::format("the first row {} is after the last {}", range.first, range.last));
  }
  return range;
}

std::string rows_text(RowRange range) {
  return fmt::format("{}:{}", range.first,
                     range.last == UINT64_MAX ? "" : std::to_string(range.last));
}

char parse_character(std::string_view option, std::string_view text) {
  if (text == R"(\t)" || text == "tab") return '\t';
  if (text.size() != 1) {
    refuse(option, fmt::format(R"("{}" is not one character (\t or tab for a tabulator))", text));
  }
  if (text[0] == '"' || text[0] == '\n' || text[0] == '\r') {
    refuse(option, "a quote or a line end cannot separate fields");
  }
  return text[0];
}

std::size_t parse_size(std::string_view option, std::string_view text) {
  const std::string_view whole = text;
  const auto drop_suffix = [&](std::string_view upper, std::string_view lower) {
    if (!text.ends_with(upper) && !text.ends_with(lower)) return false;
    text.remove_suffix(1);
    return true;
  };
  drop_suffix("B", "b");
  drop_suffix("i", "I");
  unsigned shift = 0;
  if (drop_suffix("K", "k")) {
    shift = 10;
  } else if (drop_suffix("M", "m")) {
    shift = 20;
  } else if (drop_suffix("G", "g")) {
    shift = 30;
  } else if (drop_suffix("T", "t")) {
    shift = 40;
  }
  double value = 0;
  const bool number = reads_as(text, value);
  const double bytes = std::ldexp(value, static_cast<int>(shift));
  if (!number || bytes < 1 || bytes > 1e18) {
    refuse(option, fmt::format("\"{}\" is not a size, as in 512M or 2G", whole));
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace fsieve::app
