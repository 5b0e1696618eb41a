// fsieve show RESULT.json
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/reduce_run.h"
#include "cli/saved_result.h"

namespace fsieve::cli {

void show(const OptionValues& values) {
  ReduceResult result = load_result(values.required("result"));
  if (values.given("no-timing")) result.timing.reset();
  warning_lines(result.warnings);
  print_result(result, values);
}

}  // namespace fsieve::cli
