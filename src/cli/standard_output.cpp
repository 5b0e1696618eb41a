#include "cli/standard_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/interrupt.h"
#include "fsieve/error.h"

namespace fsieve::cli {

void write_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno == EINTR || errno == EAGAIN) {
      stop_if_interrupted();
    } else {
      throw Error(fmt::format("cannot write to standard output: {}",
                              std::generic_category().message(errno)));
    }
  }
}

}  // namespace fsieve::cli
