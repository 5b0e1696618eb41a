// fsieve learn FILE --label COL -k K
#include <memory>

#include "app/run.h"
#include "cli/commands.h"
#include "cli/method_run.h"
#include "cli/standard_output.h"
#include "fsieve/io.h"

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

void learn(const OptionValues& values) {
  Request request(values);
  const auto output = output_file(values, "output", "-o", Holds::json);
  const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(values, output);
  request.keep_state_in(checkpoint.get());
  MethodRun run(values, request.data(), std::nullopt, output);
  AnyReport report = run.run(request);
  run.write(report);
  run.print(report);
  // Not before the result is out: what a search of hours has found must not be lost to a full disk.
  if (checkpoint) checkpoint->save({});
}

}  // namespace fsieve::cli
