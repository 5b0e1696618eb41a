#include "app/learn_options.h"

#include <fmt/format.h>

#include <string_view>

#include "app/device_option.h"
#include "app/value_text.h"
#include "base/nearest.h"
#include "fsieve/error.h"

namespace fsieve::inline app {
namespace {

struct CutChoice {
  Cut how = Cut::none;
  double value = 0;
};

CutChoice cut_choice(const OptionValues& values) {
  const auto text = values.text("binarize");
  if (!text) return {};
  if (*text == "median") return {Cut::median, 0};
  if (*text == "mean") return {Cut::mean, 0};
  try {
    return {Cut::value, parse_number("--binarize", *text)};
  } catch (const Error&) {
    const std::vector<std::string_view> words{"median", "mean"};
    refuse(fmt::format("--binarize: \"{}\" is not median, mean or a number{}", *text,
                       did_you_mean(*text, "", words)));
  }
}

std::optional<Basis> basis_choice(const OptionValues& values) {
  if (!values.given("basis")) return std::nullopt;
  return values.choice("basis") == "correlated" ? Basis::correlated : Basis::product;
}

void read_search(const OptionValues& values, JuntaOptions& options) {
  const std::string text = values.required("search");
  constexpr std::string_view kBeam = "beam:";
  if (text == "exhaustive") {
    options.search = JuntaSearch::exhaustive;
  } else if (text == "greedy") {
    options.search = JuntaSearch::greedy;
  } else if (text.starts_with(kBeam)) {
    options.search = JuntaSearch::beam;
    options.beam = parse_whole("--search", text.substr(kBeam.size()));
    if (options.beam == 0) refuse("--search: a beam is at least 1 wide, as in beam:10");
  } else if (text == "beam") {
    refuse("--search: beam needs a number of subsets, as in beam:10");
  } else {
    const std::vector<std::string_view> words{"exhaustive", "greedy", "beam:W"};
    refuse(fmt::format("--search: \"{}\" is not one of {}{}", text, fmt::join(words, ", "),
                       did_you_mean(text, "", words)));
  }
}

ClassWeights class_weights(const OptionValues& values) {
  ClassWeights weights;
  const auto text = values.text("class-weight");
  weights.balanced = text == "balanced";
  if (!text || weights.balanced) return weights;
  constexpr std::string_view example = "yes=10";
  if (text->find('=') == std::string::npos) {
    refuse(fmt::format("--class-weight: \"{}\" is neither balanced nor CLASS=W, as in {}", *text,
                       example));
  }
  for (auto& [name, weight] : parse_named_numbers("--class-weight", *text, example)) {
    weights.given.push_back({std::move(name), weight});
  }
  return weights;
}

void check_together(const JuntaOptions& options, bool checkpoint) {
  const bool low_degree = options.learner == Learner::low_degree;
  if (low_degree && options.basis == Basis::correlated) {
    refuse("--learner low-degree has the product basis only");
  }
  if (low_degree && options.search != JuntaSearch::exhaustive) {
    refuse("--learner low-degree takes all features: there is nothing to --search");
  }
  if (checkpoint && (low_degree || options.search != JuntaSearch::exhaustive)) {
    refuse("--checkpoint needs --search exhaustive: other runs are short");
  }
}

std::size_t count_above_0(const OptionValues& values, std::string_view name) {
  const std::size_t value = parse_whole(dashed(name), values.required(name));
  if (value == 0) refuse(fmt::format("{}: 0 is too few", dashed(name)));
  return value;
}

}  // namespace

JuntaOptions junta_options(const OptionValues& values) {
  JuntaOptions options;
  options.k = count_above_0(values, "k");  // how many are too many depends on the data, too
  const std::string learner = values.choice("learner");
  options.learner = learner == "erm"          ? Learner::erm
                    : learner == "low-degree" ? Learner::low_degree
                                              : Learner::fourier;
  options.basis = basis_choice(values);
  read_search(values, options);
  const CutChoice cut = cut_choice(values);
  options.binarize = cut.how;
  options.cut = cut.value;
  options.class_weights = class_weights(values);
  options.top = parse_whole("--top", values.required("top"));
  options.permutations = parse_whole("--permutations", values.required("permutations"));
  options.seed = parse_whole("--seed", values.required("seed"));
  options.device = device_option(values);
  check_together(options, values.given("checkpoint"));
  return options;
}

std::string junta_search_text(const JuntaOptions& options) {
  switch (options.search) {
    case JuntaSearch::exhaustive:
      return "exhaustive";
    case JuntaSearch::greedy:
      return "greedy";
    case JuntaSearch::beam:
      break;
  }
  return fmt::format("beam:{}", options.beam);
}

std::string class_weight_text(const ClassWeights& weights) {
  if (weights.balanced) return "balanced";
  std::vector<std::string> parts;
  for (const ClassWeight& one : weights.given) {
    std::string name;  // as a user would type it
    for (const char letter : one.name)
      name += letter == ',' ? std::string("\\,") : std::string(1, letter);
    parts.push_back(fmt::format("{}={}", name, one.weight));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string cut_text(const JuntaOptions& options) {
  if (options.binarize == Cut::median) return "median";
  return options.binarize == Cut::mean ? "mean" : fmt::format("{}", options.cut);
}

BoundsOptions bounds_options(const OptionValues& values) {
  BoundsOptions options;
  BoundsQuestion& question = options.question;
  const bool file = values.given("file");
  question.k = count_above_0(values, "k");
  options.has_d = values.given("d");
  if (options.has_d) question.d = count_above_0(values, "d");
  if (!options.has_d && !file) refuse("-d D is missing; see fsieve bounds --help");
  if (values.given("ck") + values.given("bias") + file > 1) {
    refuse("--ck, --bias and FILE are three ways to say the same; give one of them");
  }
  options.has_ck = !file;
  if (values.given("ck")) {
    question.ck = parse_number("--ck", values.required("ck"));
    if (!(question.ck >= 1)) {
      refuse(fmt::format("--ck: {} is below 1, which no features have", question.ck));
    }
  }
  if (values.given("bias")) {
    const double bias = parse_number("--bias", values.required("bias"));
    if (!(bias >= 0 && bias < 1)) {
      refuse(fmt::format("--bias: {} is not 0 or more and below 1", bias));
    }
    question.ck = ck_of_bias(bias, question.k);
  }
  if (values.given("epsilon") && values.given("rows")) {
    refuse("--epsilon asks for rows and --rows for epsilon; give one of them");
  }
  if (!values.given("epsilon") && !values.given("rows") && !file) {
    refuse("--epsilon E or --rows N is missing; see fsieve bounds --help");
  }
  if (values.given("epsilon")) question.epsilon = values.share("epsilon");
  if (values.given("rows")) {
    const std::size_t rows = count_above_0(values, "rows");
    if (rows < 2) refuse("--rows: at least 2 rows are needed");
    question.rows = static_cast<double>(rows);
  }
  question.delta = values.share("delta");
  const CutChoice cut = cut_choice(values);
  if (cut.how != Cut::none && !file) refuse("--binarize is for the columns of FILE");
  options.binarize = cut.how;
  options.cut = cut.value;
  return options;
}

}  // namespace fsieve::app
