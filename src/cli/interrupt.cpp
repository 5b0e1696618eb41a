#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "fsieve/error.h"
#include "io/unfinished_files.h"

namespace fsieve::cli {
namespace {

std::atomic<bool> asked_to_stop{false};
std::atomic<bool> end_at_once{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

// The handler may run on any thread, so ending and a step that must be done wholly exclude each
// other.
enum class State { working, undisturbed, ending };
std::atomic<State> state{State::working};
static_assert(std::atomic<State>::is_always_lock_free, "used in a signal handler");

bool enter(State next) {
  State now = State::working;
  return state.compare_exchange_strong(now, next);
}

extern "C" void on_signal(int) {
  if (!asked_to_stop.exchange(true) && !end_at_once) return;
  if (!enter(State::ending)) return;
  io::remove_unfinished_files();
  constexpr std::string_view kLine = "fsieve: error: interrupted\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(130);
}

}  // namespace

void listen_for_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // Reads from a terminal or a pipe must not go on waiting, so they are not restarted.
  action.sa_flags = 0;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

EndAtOnce::EndAtOnce() { end_at_once = true; }

EndAtOnce::~EndAtOnce() { end_at_once = false; }

Undisturbed::Undisturbed() {
  while (!enter(State::undisturbed)) ::pause();  // another thread is ending the program
}

Undisturbed::~Undisturbed() { state = State::working; }

void stop_if_interrupted() {
  if (asked_to_stop.load(std::memory_order_relaxed)) {
    throw Error("interrupted", Error::Kind::interrupted);
  }
}

}  // namespace fsieve::cli
