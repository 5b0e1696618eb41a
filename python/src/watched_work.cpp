#include "watched_work.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "fsieve/stop.h"

namespace nb = nanobind;

namespace fsieve::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

struct Standing {
  std::string what;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

class SharedProgress final : public Progress {
 public:
  void begin(std::string_view what, std::uint64_t total) override {
    stop_.check();
    const std::lock_guard lock(mutex_);
    standing_ = {std::string(what), 0, total};
  }
  void advance(std::uint64_t done) override {
    stop_.check();
    const std::lock_guard lock(mutex_);
    standing_.done = done;
  }
  void end() override { stop_.check(); }

  void ask_to_stop() { stop_.ask(); }
  [[nodiscard]] const StopFlag& stop() const { return stop_; }
  [[nodiscard]] Standing standing() {
    const std::lock_guard lock(mutex_);
    return standing_;
  }

 private:
  StopFlag stop_;
  std::mutex mutex_;
  Standing standing_;
};

// The work on its thread, and whether it is done.
class Worker {
 public:
  Worker(const std::function<void(Progress&)>& work, SharedProgress& progress)
      : thread_([this, &work, &progress] {
          try {
            const StopScope stop(progress.stop());
            work(progress);
          } catch (...) {
            error_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          finished_.notify_one();
        }) {}

  // False when the time is over first.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return finished_.wait_for(lock, time, [&] { return done_; });
  }

  // What the work threw, if anything.
  std::exception_ptr join() {
    thread_.join();
    return error_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace

void watch(const nb::object& show, const std::function<void(Progress&)>& work) {
  SharedProgress progress;
  std::exception_ptr raised;  // by Python
  std::exception_ptr error;   // by the work
  // Signals are looked at to the end: a second Ctrl-C belongs to the first, and must not surprise
  // the caller while it handles that.
  const auto look = [&](bool working) {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (raised || !working || show.is_none()) return;
      const Standing now = progress.standing();
      show(now.what, now.done, now.total);
    } catch (...) {
      raised = std::current_exception();
      progress.ask_to_stop();
    }
  };
  {
    const nb::gil_scoped_release unlocked;
    Worker worker(work, progress);
    while (!worker.wait(kBetweenLooks)) {
      const nb::gil_scoped_acquire locked;
      look(true);
    }
    error = worker.join();
  }
  if (raised) look(false);
  if (raised) std::rethrow_exception(raised);
  if (error) std::rethrow_exception(error);
}

}  // namespace fsieve::python
