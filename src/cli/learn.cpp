// fsieve learn FILE --label COL -k K
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/method_run.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "explain/number_text.h"
#include "fsieve/io.h"
#include "fsieve/junta.h"
#include "options/learn_options.h"
#include "options/parameters.h"

namespace fsieve::cli {
namespace {

std::unique_ptr<Checkpoint> open_checkpoint(const OptionValues& values) {
  const auto path = values.text("checkpoint");
  if (!path) return nullptr;
  if (path == values.text("output")) {
    throw Error(fmt::format("-o and --checkpoint both name {}", *path), Error::Kind::usage);
  }
  check_folder(*path);
  return checkpoint_file(*path);
}

}  // namespace

void learn(const OptionValues& values) {
  JuntaOptions method = junta_options(values);
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(values);
  method.checkpoint = checkpoint.get();
  MethodRun run(values, std::nullopt, values.text("output"));
  Model model = run.fit([&](const Source& source, Progress& progress) {
    return fsieve::learn(source, method, progress);
  });
  model.parameters = learn_parameters(method, run.data());
  run.finish(model, {});
  summarise(
      fmt::format("{} from {} of {}, training error {:.1f} %", model.label, model.subset.size(),
                  counted(model.feature_count, "feature"), 100 * model.training_error),
      values);
  write_stdout(values.given("json") ? to_json(model) : to_report(model, report_style()));
  // Not before the result is out: what a search of hours has found must not be lost to a full disk.
  if (checkpoint) checkpoint->save({});
}

}  // namespace fsieve::cli
