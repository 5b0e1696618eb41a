// fsieve bounds [FILE] -k K -d D --epsilon E
#include "fsieve/bounds.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/data_options.h"
#include "app/learn_options.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/input_table.h"
#include "cli/messages.h"
#include "cli/progress_bar.h"
#include "cli/standard_output.h"
#include "fsieve/error.h"
#include "fsieve/version.h"

namespace fsieve::cli {
namespace {

constexpr double kLargestExact =
    9007199254740992.0;  // 2^53: above it not every whole number is one

// "1 234 567"; beyond what is exact "1.23e+20".
std::string rows_text(double rows) {
  if (rows >= kLargestExact) return fmt::format("{:.3g}", rows);
  const std::string digits = fmt::format("{:.0f}", rows);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

nlohmann::ordered_json rows_json(double rows) {
  if (rows < kLargestExact) return static_cast<std::uint64_t>(rows);
  return std::isfinite(rows) ? nlohmann::ordered_json(rows) : nlohmann::ordered_json(nullptr);
}

std::string to_json(const Bounds& b, const std::optional<std::string>& file,
                    const std::vector<std::string>& warnings) {
  nlohmann::ordered_json object{
      {"fsieve", version()}, {"schema", json_schema}, {"command", "bounds"}};
  object["data"] = file ? nlohmann::ordered_json{{"source", *file}} : nullptr;
  object["k"] = b.k;
  object["d"] = b.d;
  object["delta"] = b.delta;
  object["ck"] = b.ck;
  object["epsilon"] = b.epsilon;
  object["epsilon1"] = b.epsilon1;
  object["epsilon2"] = b.epsilon2;
  object["n"] = rows_json(b.n);
  object["n1"] = rows_json(b.n1);
  object["n2"] = rows_json(b.n2);
  object["epsilon0"] = b.epsilon0;
  object["n0"] = rows_json(b.n0);
  object["vacuous"] = b.epsilon >= 1;
  object["warnings"] = warnings;
  return object.dump(2) + "\n";
}

std::string to_report(const Bounds& b, bool from_rows) {
  const std::string what = fmt::format("the best rule on {} of {}", b.k, counted(b.d, "feature"));
  std::string text;
  if (!from_rows) {
    text = fmt::format(
        "{} rows are enough for an error within {:.6g} of {},\nwith probability {:.6g}.\n",
        rows_text(b.n), b.epsilon, what, 1 - b.delta);
  } else if (b.epsilon < 1) {
    text =
        fmt::format("{} rows guarantee an error within {:.4g} of {},\nwith probability {:.6g}.\n",
                    rows_text(b.n), b.epsilon, what, 1 - b.delta);
  } else {
    text = fmt::format(
        "{} rows guarantee nothing: the bound is {:.4g} above the error of {},\nand every rule has "
        "that.\n",
        rows_text(b.n), b.epsilon, what);
  }
  text += fmt::format(
      "\n"
      "  c_k            {:<12.6g} how uneven the features are (1: not at all)\n"
      "  epsilon1       {:<12.4g} choosing the subset; takes {} rows (Lemma 4)\n"
      "  epsilon2       {:<12.4g} estimating the predictor; takes {} rows (Lemma 7)\n"
      "  epsilon0       {:<12.4g} estimating means, where they are not known; takes {} rows "
      "(Lemma 8)\n"
      "\nFor independent features. A worst case: in practice far fewer rows do.\n",
      b.ck, b.epsilon1, rows_text(b.n1), b.epsilon2, rows_text(b.n2), b.epsilon0, rows_text(b.n0));
  return text;
}

}  // namespace

void bounds(const OptionValues& values) {
  BoundsOptions options = bounds_options(values);
  BoundsQuestion& question = options.question;
  std::vector<std::string> warnings;
  const auto file = values.text("file");
  const ReadOptions data = read_options(values);
  ProgressBar progress(values.given("quiet"));
  const RunContext context = run_context(values, progress);
  if (file) {
    const InputTable input = open_table(*file, data, context);
    warnings = input.warnings;
    TableCk found;
    try {
      found = ck_of_table(*input.source, question.k, options.binarize, options.cut, progress);
    } catch (const Error& error) {
      throw about_file(error, *file, *input.source);
    }
    question.ck = found.ck;
    warnings.insert(warnings.end(), found.warnings.begin(), found.warnings.end());
    if (!options.has_d) question.d = found.features;
    if (!question.epsilon && !question.rows) {
      question.rows = static_cast<double>(input.source->rows());
    }
  }
  const Bounds result = fsieve::bounds(question);
  warning_lines(warnings);
  write_stdout(values.given("json") ? to_json(result, file, warnings)
                                    : to_report(result, question.rows.has_value()));
}

}  // namespace fsieve::cli
