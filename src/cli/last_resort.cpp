#include "cli/last_resort.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "base/unfinished_files.h"

namespace fsieve::cli {
namespace {

bool is_out_of_memory() {
  const std::exception_ptr pending = std::current_exception();
  if (!pending) return false;
  try {
    std::rethrow_exception(pending);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void on_terminate() {
  remove_unfinished_files();
  if (!is_out_of_memory()) std::abort();
  constexpr std::string_view kLine = "fsieve: error: out of memory\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(1);
}

}  // namespace

void set_last_resort() { std::set_terminate(on_terminate); }

}  // namespace fsieve::cli
