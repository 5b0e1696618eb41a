// fsieve reduce FILE
#include "app/run.h"
#include "cli/commands.h"
#include "cli/method_run.h"

namespace fsieve::cli {

void reduce(const OptionValues& values) {
  const Request request(values);
  MethodRun run(values, request.data());
  AnyReport report = run.run(request);
  run.write(report);
  run.print(report);
}

}  // namespace fsieve::cli
