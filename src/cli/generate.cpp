// fsieve generate KIND -o FILE
#include "fsieve/generate.h"

#include <fmt/format.h>

#include <numeric>

#include "app/value_text.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/standard_output.h"
#include "fsieve/error.h"

namespace fsieve::cli {
namespace {

GenerateOptions generate_options(const OptionValues& values) {
  GenerateOptions options;
  options.kind = set_kind(values.choice("kind"));
  options.rows = parse_whole("--rows", values.required("rows"));
  if (options.rows == 0) throw Error("--rows: 0 rows make no table", Error::Kind::usage);
  options.seed = parse_whole("--seed", values.required("seed"));
  options.shuffle = values.given("shuffle");
  options.pairs = values.given("pairs");
  return options;
}

}  // namespace

void generate(const OptionValues& values) {
  const GenerateOptions options = generate_options(values);
  const std::unique_ptr<Source> source = synthetic_set(options);
  const auto path = values.text("output");
  if (!path) throw Error("-o FILE is missing; see fsieve generate --help", Error::Kind::usage);
  const std::string truth_path = *path + ".truth.json";
  check_outputs({{"-o", *path}, {"the truth", truth_path, Holds::json}}, {});
  const std::string truth = synthetic_truth(options);

  std::vector<std::size_t> columns(source->schema().columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  ProgressBar progress(values.given("quiet"));
  OutputFiles outputs;
  outputs.table(*path, *source, columns, progress);
  outputs.text(truth_path, truth);
  commit(outputs);

  note(values.given("quiet"),
       fmt::format("{} of {} written to {}, the truth to {}", counted(options.rows, "row"),
                   name_of(options.kind), *path, truth_path));
  if (values.given("json")) write_stdout(truth);
}

}  // namespace fsieve::cli
