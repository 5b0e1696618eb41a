// The effective value of every option that can change a result, for the JSON key "parameters".
#pragma once

#include <string_view>
#include <vector>

#include "fsieve/io.h"
#include "fsieve/junta.h"
#include "fsieve/result.h"
#include "fsieve/sffs.h"
#include "fsieve/uffs.h"

namespace fsieve::inline app {

// In the spelling of the command line, so that they can be given again. Options that cannot change
// the result (threads, memory) are left out: equal results are equal bytes.
[[nodiscard]] std::vector<Parameter> reduce_parameters(const UffsOptions& method,
                                                       const ReadOptions& data,
                                                       const std::vector<StageReport>& stages,
                                                       bool relations);

[[nodiscard]] std::vector<Parameter> reduce_parameters(const GfsOptions& method,
                                                       const ReadOptions& data);
[[nodiscard]] std::vector<Parameter> reduce_parameters(const GfaOptions& method,
                                                       const ReadOptions& data);

// The task is the one decided on, automatic stages of --reduce those that were run.
// `asked_k`: as it was given, where that is no number.
[[nodiscard]] std::vector<Parameter> select_parameters(const SffsOptions& method,
                                                       std::string_view asked_k,
                                                       const ReadOptions& data,
                                                       const SffsResult& found);

[[nodiscard]] std::vector<Parameter> learn_parameters(const JuntaOptions& method,
                                                      const ReadOptions& data);

}  // namespace fsieve::app
