#include "cli/standard_output.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/interrupt.h"
#include "fsieve/error.h"
#include "fsieve/io.h"

namespace fsieve::cli {
namespace {

// A pipe that nobody reads from any more.
bool reader_is_gone() {
  pollfd descriptor{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR) != 0;
}

}  // namespace

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

void write_table_to_stdout(const Source& source, const std::vector<std::size_t>& columns,
                           Progress& progress) {
  try {
    write_table("-", source, columns, progress);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::data && reader_is_gone()) throw ClosedPipe();
    throw;
  }
}

}  // namespace fsieve::cli
