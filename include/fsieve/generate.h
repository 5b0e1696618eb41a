// The synthetic sets of the papers, with the truth about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "fsieve/source.h"

namespace fsieve {

enum class SetKind {
  s1,   // 001 section V: ten normal features, ten triple products, ten linear combinations; label y
  s2,   // the same with features uniform on [-1, 1]
  s3,   // the same with features -1 or 1
  e1,   // 000 section 6: twenty features -1 or 1; label y is a function of the first six
  e2,   // the same with normal features
  gfs,  // 003 section V.C: ten normals of growing variance, twenty products of two or three
  gfa   // 003 section V.D: ten normals of variance below 1, ten products of less variance
};

struct GenerateOptions {
  SetKind kind = SetKind::s1;
  std::size_t rows = 1000;
  std::uint64_t seed = 0;
  bool shuffle = false;  // feature columns in random order; names stay with their columns
  bool pairs = false;    // gfa only: scaled products of two instead of products of three
};

// Features x1, x2, ... and the label y. Rows are made when they are read, each a function of the
// seed and its number alone, so every pass sees the same table and none of it is held in memory.
// Throws Error(usage) on options that do not fit together.
[[nodiscard]] std::unique_ptr<Source> synthetic_set(const GenerateOptions& options);

// What is informative, what is redundant by which equation, and what the label is a function of:
// one JSON object, as docs/schema/generate.json describes it, with a line end.
[[nodiscard]] std::string synthetic_truth(const GenerateOptions& options);

// "s1", ...; throws Error(usage) on anything else.
[[nodiscard]] SetKind set_kind(const std::string& name);
[[nodiscard]] std::string name_of(SetKind kind);

}  // namespace fsieve
