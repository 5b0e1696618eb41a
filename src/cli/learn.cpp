// fsieve learn FILE --label COL -k K
#include <fmt/format.h>

#include <memory>

#include "app/learn_options.h"
#include "app/parameters.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/method_run.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "cli/work.h"
#include "fsieve/io.h"
#include "fsieve/junta.h"

namespace fsieve::cli {
namespace {

std::unique_ptr<Checkpoint> open_checkpoint(const OptionValues& values,
                                            const std::optional<OutputFile>& model) {
  const auto path = values.text("checkpoint");
  if (!path) return nullptr;
  std::vector<OutputFile> outputs;
  if (model && !is_standard_output(model->path)) outputs.push_back(*model);
  outputs.push_back({"--checkpoint", *path, Holds::json});
  check_outputs(outputs, {{values.required("file")}});
  return checkpoint_file(*path);
}

}  // namespace

LearnWork::LearnWork(const OptionValues& values) : options_(junta_options(values)) {}

Model LearnWork::on(MethodRun& run) const {
  Model model = run.fit([&](const Source& source, Progress& progress) {
    return fsieve::learn(source, options_, progress);
  });
  model.parameters = learn_parameters(options_, run.data());
  return model;
}

void learn(const OptionValues& values) {
  LearnWork work(values);
  const auto output = output_file(values, "output", "-o", Holds::json);
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(values, output);
  work.keep_state_in(checkpoint.get());
  MethodRun run(values, std::nullopt, output);
  Model model = work.on(run);
  run.finish(model, {});
  run.summarise(fmt::format("{} from {} of {}, training error {:.1f} %", model.label,
                            model.subset.size(), counted(model.feature_count, "feature"),
                            100 * model.training_error));
  write_stdout(run.prints_json() ? to_json(model) : to_report(model, report_style()));
  // Not before the result is out: what a search of hours has found must not be lost to a full disk.
  if (checkpoint) checkpoint->save({});
}

}  // namespace fsieve::cli
