// fsieve show RESULT.json
#include <variant>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/method_run.h"
#include "cli/saved_result.h"

namespace fsieve::cli {

void show(const OptionValues& values) {
  SavedResult result = load_result(values.required("result"));
  std::visit(
      [&](auto& held) {
        if (values.given("no-timing")) held.timing.reset();
        warning_lines(held.warnings);
      },
      result);
  print_result(result, values);
}

}  // namespace fsieve::cli
