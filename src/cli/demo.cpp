// fsieve demo
#include <fmt/format.h>

#include <numeric>

#include "app/run.h"
#include "cli/commands.h"
#include "cli/demo_data.h"
#include "cli/messages.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"

namespace fsieve::cli {
namespace {

constexpr const char* kBefore =
    "A table of 398 cars: {} columns, some of them the same thing said twice.\n"
    "{}\n"
    "Which columns could be computed from the others?\n"
    "\n"
    "  $ fsieve reduce cars.csv\n"
    "\n";

constexpr const char* kAfter =
    "\n"
    "How to read it\n"
    "  Kept: what is left of a column (as a share of its standard deviation) after everything the\n"
    "  other kept columns and their products say about it is taken out. 1 is all of it.\n"
    "  Removed: a column of which at most 0.1 is left (--epsilon), with the equation that gives "
    "it\n"
    "  back. A unit conversion is found among single columns, tank times economy among products.\n"
    "\n"
    "What to do next\n"
    "  $ fsieve reduce cars.csv -o small.csv --save result.json     keep the rest, and the result\n"
    "  $ fsieve apply result.json new_cars.csv -o new_small.csv     the same columns of another "
    "file\n"
    "  $ fsieve show result.json                                    this report again\n"
    "  $ fsieve reduce cars.csv --json                              for a program\n"
    "  $ fsieve select cars.csv --label economy -k 3                which columns predict one?\n"
    "  $ fsieve report cars.csv --label economy -o cars.html        a page to look at and pass on\n"
    "  $ fsieve generate s1 -o s1.csv                               a set from the papers to try\n"
    "  $ fsieve reduce --help                                       all that can be set\n";

}  // namespace

void demo(const OptionValues& values) {
  const auto output = values.text("output");
  if (output) check_outputs({{"-o", *output}}, {});
  const auto source = demo_cars();
  ProgressBar progress(values.given("quiet"));
  RunRecord record(output.value_or("cars.csv"), progress);
  AnyReport report = run(Request(OptionValues(Command::reduce)), *source, record);

  if (output) {
    std::vector<std::size_t> columns(source->schema().columns());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    OutputFiles outputs;
    outputs.table(*output, *source, columns, progress);
    commit(outputs);
    note(values.given("quiet"), fmt::format("the table is in {}", *output));
  }
  if (values.given("json")) {
    if (!values.given("no-timing")) add_timing(report, record);
    return write_stdout(to_json(report));
  }
  const std::string where = "(It is built in; fsieve demo -o cars.csv writes it to a file.)";
  write_stdout(fmt::format(fmt::runtime(kBefore), source->schema().features.size(), where) +
               to_report(report, report_style()) + kAfter);
}

}  // namespace fsieve::cli
