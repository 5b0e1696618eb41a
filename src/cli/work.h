// What the commands compute before anything is printed or written: for the commands themselves, and
// for a report, which puts several together. Options are read, and refused, when the work is made;
// the table is read when it is done.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/option_values.h"
#include "cli/method_run.h"
#include "fsieve/junta.h"
#include "fsieve/model.h"
#include "fsieve/result.h"
#include "fsieve/selection_manner.h"
#include "fsieve/sffs.h"
#include "fsieve/uffs.h"

namespace fsieve::cli {

template <typename Result>
struct Worked {
  Result result;
  std::vector<std::size_t> features;  // positions of the chosen ones
};

class UffsWork {
 public:
  explicit UffsWork(const OptionValues& values);
  [[nodiscard]] Worked<ReduceResult> on(MethodRun& run) const;

 private:
  UffsOptions options_;
  bool first_;   // relations first
  bool listed_;  // relations are part of the result
};

class SelectWork {
 public:
  explicit SelectWork(const OptionValues& values);
  [[nodiscard]] Worked<SelectResult> on(MethodRun& run) const;

 private:
  SffsOptions options_;
  SelectionManner manner_;
  std::string asked_k_;
};

class LearnWork {
 public:
  explicit LearnWork(const OptionValues& values);
  void keep_state_in(Checkpoint* checkpoint) { options_.checkpoint = checkpoint; }
  [[nodiscard]] Model on(MethodRun& run) const;
  [[nodiscard]] const JuntaOptions& options() const { return options_; }

 private:
  JuntaOptions options_;
};

}  // namespace fsieve::cli
