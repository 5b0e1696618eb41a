// Ctrl-C and kill: the work is asked to stop, and the program ends within half a second whether it
// does or not.
#pragma once

#include "fsieve/stop.h"

namespace fsieve::cli {

// The first SIGINT, SIGTERM or SIGHUP raises a flag that all long work looks at. What has not
// stopped by itself soon after (it waits for a pipe) is ended with the program, and so is
// everything at the second signal; unfinished files are removed. SIGPIPE and SIGXFSZ are ignored,
// so a closed pipe and a file that may not grow are seen as failed writes.
void listen_for_signals();

// All is done: what is left is to free memory, and the exit code says so whatever comes.
void listen_no_more();

// While one of these lives a signal only raises the flag: for a step that must be done wholly. One
// that came does not end the program afterwards, unless the work looks at the flag.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
};

// What a signal raises.
[[nodiscard]] const StopFlag& interrupted();

// Throws Error(interrupted) once a signal has come.
void stop_if_interrupted();

// The error line of an interrupted run, once.
void say_interrupted();

}  // namespace fsieve::cli
