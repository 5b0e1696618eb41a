// Ctrl-C and kill: work is asked to stop, and stops at its next report of progress.
#pragma once

namespace fsieve::cli {

// SIGINT and SIGTERM raise a flag, the second one ends the program at once. SIGPIPE and SIGXFSZ are
// ignored, so a closed pipe and a file that may not grow are seen as failed writes.
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

// While one of these lives a signal only raises the flag: for a step that must be done wholly.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
};

// Throws Error(interrupted) once a signal has come.
void stop_if_interrupted();

}  // namespace fsieve::cli
