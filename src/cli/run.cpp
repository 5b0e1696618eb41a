#include "cli/run.h"

#include <sys/resource.h>

#include <exception>
#include <new>

#include "app/run.h"
#include "base/instruction_set.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/last_resort.h"
#include "cli/messages.h"
#include "cli/standard_output.h"
#include "fsieve/error.h"
#include "fsieve/version.h"

namespace fsieve::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kInterrupted = 130;

int exit_code(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::usage:
      return kWrongUsage;
    case Error::Kind::interrupted:
      return kInterrupted;
    case Error::Kind::data:
      break;
  }
  return kFailed;
}

void dispatch(const OptionValues& values) {
  switch (values.command()) {
    case Command::reduce:
      return reduce(values);
    case Command::select:
      return select(values);
    case Command::learn:
      return learn(values);
    case Command::predict:
      return predict(values);
    case Command::bounds:
      return bounds(values);
    case Command::report:
      return report(values);
    case Command::apply:
      return apply(values);
    case Command::show:
      return show(values);
    case Command::generate:
      return generate(values);
    case Command::demo:
      return demo(values);
    case Command::options:
      return options(values);
  }
}

// A data set may have thousands of files, and all are held open.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

void run_command(const OptionValues& values) {
  allow_many_files();
  simd::obey_environment();
  const StopScope stop(interrupted());
  on_threads_of(values, [&] { dispatch(values); });
}

void run_or_throw(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_command_line(arguments);
  switch (line.action) {
    case CommandLine::Action::overview:
      return write_stdout(overview());
    case CommandLine::Action::version:
      return write_stdout("fsieve " + version() + "\n" + build_info());
    case CommandLine::Action::help:
      return write_stdout(help(line.values.command()));
    case CommandLine::Action::run:
      return run_command(line.values);
  }
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
  listen_for_signals();
  set_last_resort();
  try {
    run_or_throw(arguments);
    listen_no_more();
    return 0;
  } catch (const ClosedPipe&) {
    return 0;  // whoever read our output has had enough of it
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::interrupted) {
      say_interrupted();
    } else {
      error_line(error.what());
    }
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    error_line("out of memory");
  } catch (const std::exception& error) {
    error_line(std::string("internal error: ") + error.what());
  }
  return kFailed;
}

}  // namespace fsieve::cli
