// The junta learner: the k features that decide a two-class label best, and the predictor on them.
// Paper: Heidari, Shamir, Szpankowski, Fourier-Based Universal Learning, Algorithm 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsieve/checkpoint.h"
#include "fsieve/device.h"
#include "fsieve/model.h"
#include "fsieve/run_context.h"
#include "fsieve/source.h"

namespace fsieve {

// How numbers of more than two values become two-valued: at most the cut, or above it.
enum class Cut { none, median, mean, value };

enum class JuntaSearch {
  exhaustive,  // every subset of k features
  greedy,      // one feature after another
  beam         // the same with several subsets kept per step
};

// What a row of a class counts for, beside those of the other class.
struct ClassWeight {
  std::string name;  // of the class
  double weight = 1;
};

struct ClassWeights {
  bool balanced = false;           // both classes weigh the same, however few rows one has
  std::vector<ClassWeight> given;  // or these, above 0; a class that is not named has 1

  [[nodiscard]] bool any() const { return balanced || !given.empty(); }
};

struct JuntaOptions {
  std::size_t k = 1;  // 1 to 6
  Learner learner = Learner::fourier;
  std::optional<Basis> basis;  // none: correlated, or `product` for low_degree, which has no other
  JuntaSearch search = JuntaSearch::exhaustive;
  std::size_t beam = 1;  // subsets kept per step under JuntaSearch::beam
  Cut binarize = Cut::none;
  double cut = 0;                    // of Cut::value
  ClassWeights class_weights;        // of scores, rule and coefficients
  std::size_t top = 20;              // subsets reported
  std::size_t permutations = 0;      // shuffles of the label that test the score
  std::uint64_t seed = 0;            // of the shuffles
  Checkpoint* checkpoint = nullptr;  // exhaustive only
  Device device;                     // of the exhaustive search
};

// The basis that the options ask for.
[[nodiscard]] Basis basis_of(const JuntaOptions& options);

// The label must have two classes. Throws Error where a feature is real-valued and there is no cut,
// where k exceeds the number of features that are not constant, where options do not fit together,
// or where the checkpoint is of another run. The source is read a few times and never held: in
// memory are a byte per row and a bit per row and two-valued feature.
[[nodiscard]] Model learn(const Source& source, const JuntaOptions& options,
                          const RunContext& context = {});

}  // namespace fsieve
