// What an exhaustive search has done so far, and its text in a checkpoint: the search it belongs
// to, the subsets that are done, the best of them, and a checksum (docs/junta.md, "Checkpoints").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bits/number_ranges.h"
#include "fsieve/error.h"
#include "fsieve/measure.h"

namespace fsieve::inline methods {

// About the file of a checkpoint, which its sentence names; the table has no part in it.
class CheckpointError final : public Error {
 public:
  using Error::Error;
};

// All that decides which subsets there are, how they score and how many are kept. Two searches with
// the same identity may share their work.
struct SearchIdentity {
  std::string learner;
  std::string basis;
  std::size_t k = 0;
  std::size_t top = 0;
  std::size_t features = 0;
  std::size_t rows = 0;
  std::string data;                                    // fingerprint of names and values
  std::optional<std::array<double, 2>> class_weights;  // none: rows are counted

  [[nodiscard]] std::uint64_t subsets() const;
  // How many of `done` subsets are kept.
  [[nodiscard]] std::uint64_t kept(std::uint64_t done) const;
};

struct SearchState {
  NumberRanges done;
  std::vector<ScoredSubset> best;  // of the subsets that are done, best first
};

[[nodiscard]] std::string to_text(const SearchState& state, const SearchIdentity& search);

// Reads what to_text wrote. Throws CheckpointError, calling the checkpoint `name`, where the text
// is something else, is damaged, contradicts itself, or belongs to another search. The scores are
// as written.
[[nodiscard]] SearchState state_from_text(const std::string& text, const SearchIdentity& search,
                                          const std::string& name);

// Throws the Error that the checkpoint is damaged.
[[noreturn]] void damaged_checkpoint(const std::string& name, const std::string& what);

}  // namespace fsieve::methods
