// Standard output, where a failed write is noticed.
#pragma once

#include <exception>
#include <string_view>

namespace fsieve::cli {

// The reader of our output has gone. Not an error: nothing is said.
class ClosedPipe : public std::exception {};

// Throws ClosedPipe, or Error when the text cannot be written.
void write_stdout(std::string_view text);

}  // namespace fsieve::cli
