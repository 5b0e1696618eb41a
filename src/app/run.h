// One run of `reduce`, `select` or `learn`, from its options to its result: the same steps for
// every front end.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/option_values.h"
#include "fsieve/gfs.h"
#include "fsieve/io.h"
#include "fsieve/junta.h"
#include "fsieve/model.h"
#include "fsieve/result.h"
#include "fsieve/run_context.h"
#include "fsieve/sffs.h"
#include "fsieve/uffs.h"

namespace fsieve::inline app {

// What a command is asked for. Wrong options are refused when it is made, before a table is read.
class Request {
 public:
  // Throws Error(usage).
  explicit Request(const OptionValues& values);

  // How the table is to be read.
  [[nodiscard]] const ReadOptions& data() const { return data_; }
  // Of `learn`.
  [[nodiscard]] const JuntaOptions& rule() const { return std::get<JuntaOptions>(method_); }
  void keep_state_in(Checkpoint* checkpoint) {
    std::get<JuntaOptions>(method_).checkpoint = checkpoint;
  }

  struct Uffs {
    UffsOptions options;
    bool relations_listed;  // in the result
  };
  struct Sffs {
    SffsOptions options;
    std::string asked_k;
  };
  using Method = std::variant<Uffs, GfsOptions, GfaOptions, Sffs, JuntaOptions>;
  [[nodiscard]] const Method& method() const { return method_; }

 private:
  Method method_;
  ReadOptions data_;
};

// What is around a run and what is written down about it: what its table is called, what was said
// when that was opened, and how long its parts took.
class RunRecord {
 public:
  // `table`: what the result calls it.
  RunRecord(std::string table, const RunContext& context)
      : table_(std::move(table)), context_(context) {}

  [[nodiscard]] const std::string& table() const { return table_; }
  [[nodiscard]] const RunContext& context() const { return context_; }
  // What was decided about the columns of the table.
  std::vector<std::string> warnings;

  // Calls work(), which reads the table, or looks for the result.
  template <typename Work>
  auto reading(const Work& work) {
    return timed(timing_.read_s, work);
  }
  template <typename Work>
  auto fitting(const Work& work) {
    return timed(timing_.fit_s, work);
  }
  // Up to now.
  [[nodiscard]] Timing timing() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  template <typename Work>
  auto timed(double& seconds, const Work& work) {
    const auto start = Clock::now();
    auto result = work();
    seconds = seconds_since(start);
    return result;
  }

  std::string table_;
  RunContext context_;
  Clock::time_point start_ = Clock::now();
  Timing timing_;
};

// Of any method.
struct AnyReport {
  std::variant<Report<UffsResult>, Report<SffsResult>, Report<GreedyChoice>, Model> result;

  [[nodiscard]] const std::vector<std::string>& warnings() const;
  // Where in the file the chosen features stand; of a model none.
  [[nodiscard]] std::set<std::size_t> columns() const;
  // "2 of 9 features kept".
  [[nodiscard]] std::string summary() const;
};

// The source was opened as the request says. All but the timing is in the report.
[[nodiscard]] AnyReport run(const Request& request, const Source& source, RunRecord& record);

void add_timing(AnyReport& report, const RunRecord& record);

[[nodiscard]] std::string to_json(const AnyReport& report);
[[nodiscard]] std::string to_report(const AnyReport& report, const TextStyle& style);

// Does work() on as many threads as --threads says.
void on_threads_of(const OptionValues& values, const std::function<void()>& work);

}  // namespace fsieve::app
