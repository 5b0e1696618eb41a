// Ctrl-C and kill: work is asked to stop, and stops at its next report of progress.
#pragma once

namespace fsieve::cli {

// SIGINT and SIGTERM raise a flag, the second one ends the program at once; SIGPIPE is ignored, so
// a closed pipe is seen as a failed write.
void listen_for_signals();

// While one of these lives the first signal, too, ends the program at once: for waiting on standard
// input, when no report of progress comes and no file has been begun.
class EndAtOnce {
 public:
  EndAtOnce();
  ~EndAtOnce();
  EndAtOnce(const EndAtOnce&) = delete;
  EndAtOnce& operator=(const EndAtOnce&) = delete;
};

// Throws Error(interrupted) once a signal has come.
void stop_if_interrupted();

}  // namespace fsieve::cli
