#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <string_view>

#include "base/unfinished_files.h"

namespace fsieve::cli {
namespace {

constexpr long kMillisecond = 1'000'000;  // in nanoseconds
// How long the work has to stop by itself: what waits for others (a pipe, a slow disk) never does.
constexpr long kTimeToStop = 200 * kMillisecond;
constexpr long kTimeToFinishAStep = 20 * kMillisecond;
constexpr long kNever = 0;  // to a timer

StopFlag asked_to_stop;
std::atomic<bool> said{false};

// The handler may run on any thread, so ending and a step that must be done wholly exclude each
// other.
enum class State { working, undisturbed, ending };
std::atomic<State> state{State::working};
static_assert(std::atomic<State>::is_always_lock_free, "used in a signal handler");

bool enter(State next) {
  State now = State::working;
  return state.compare_exchange_strong(now, next);
}

bool on_terminal = false;
timer_t patience{};

void end_later(long nanoseconds) {
  itimerspec time{};
  time.it_value.tv_nsec = nanoseconds;
  timer_settime(patience, 0, &time, nullptr);
}

void end_now() {
  if (!enter(State::ending) && state != State::ending) return end_later(kTimeToFinishAStep);
  if (!stop_making_files()) return end_later(kTimeToFinishAStep);
  remove_unfinished_files();
  say_interrupted();
  ::_exit(130);
}

extern "C" void on_signal(int) {
  if (!asked_to_stop.ask()) return end_now();
  end_later(kTimeToStop);
}

extern "C" void on_end_of_patience(int) { end_now(); }

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a read that waits on is ended with the program
  sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

}  // namespace

void listen_for_signals() {
  on_terminal = ::isatty(STDERR_FILENO) == 1;
  sigevent at_the_end{};
  at_the_end.sigev_notify = SIGEV_SIGNAL;
  at_the_end.sigev_signo = SIGALRM;
  timer_create(CLOCK_MONOTONIC, &at_the_end, &patience);
  handle(SIGALRM, on_end_of_patience);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, on_signal);  // under nohup it stays so
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
}

Undisturbed::Undisturbed() {
  while (!enter(State::undisturbed)) ::pause();  // another thread is ending the program
}

// The step is done, and so is nearly everything: a signal that came meanwhile comes too late.
Undisturbed::~Undisturbed() {
  end_later(kNever);
  state = State::working;
}

void listen_no_more() {
  handle(SIGALRM, SIG_IGN);
  end_later(kNever);
}

const StopFlag& interrupted() { return asked_to_stop; }

void stop_if_interrupted() { asked_to_stop.check(); }

void say_interrupted() {
  if (said.exchange(true)) return;
  // On a terminal a drawn line of progress may stand there.
  const std::string_view line =
      on_terminal ? "\r\033[Kfsieve: error: interrupted\n" : "fsieve: error: interrupted\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace fsieve::cli
