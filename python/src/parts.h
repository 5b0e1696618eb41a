// A table in parts on other machines: what is computed where a part is, and the run of a method
// where the answers of all parts come together.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "call.h"
#include "fsieve/progress.h"
#include "table.h"

namespace fsieve::python {

// What the parts are asked.
struct PartQuestion {
  std::string known;  // what was found out about the whole table; empty at first
  std::string asked;  // "scan", "count", "weights", or that of a statistic (stats/asked.h)
};

// What a part, whose number is `part`, says. The weights of the call are those of its rows.
[[nodiscard]] std::string answer(const Table& table, std::size_t part, const Call& call,
                                 const PartQuestion& question, Progress& progress);

// One answer for all parts whose answers these are, in their order.
[[nodiscard]] std::string merged(const Call& call, const PartQuestion& question,
                                 std::span<const std::string> answers);

// What is said to a piece of shared work (PartedSource::share_out).
[[nodiscard]] std::string piece_answer(const std::string& common, const std::string& piece,
                                       Progress& progress);

// Who holds the parts.
struct PartEngine {
  // Asks all parts, and merges what they say.
  std::function<std::string(const PartQuestion& question)> ask;
  // As PartedSource::share_out.
  std::function<std::vector<std::string>(const std::string& common,
                                         const std::vector<std::string>& pieces)>
      share_out;
};

// As run() of a table, whose rows have weights or not. The rows come here where they are at most
// `most_rows` and fit into the memory allowed; else only those of a sample do.
[[nodiscard]] std::string run_on_parts(const Call& call, bool weighted, const PartEngine& engine,
                                       std::size_t most_rows, Progress& progress);

}  // namespace fsieve::python
