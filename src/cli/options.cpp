// fsieve options: the table of options, for the docs and for Python
#include "app/option_docs.h"
#include "cli/commands.h"
#include "cli/standard_output.h"

namespace fsieve::cli {

void options(const OptionValues& values) {
  write_stdout(values.given("json") ? options_json() : options_markdown());
}

}  // namespace fsieve::cli
