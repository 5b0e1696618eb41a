// How accumulators save and load their numbers: raw little-endian values behind their count.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <type_traits>

#include "fsieve/error.h"

namespace fsieve {

template <class T>
void save_value(std::ostream& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void load_value(std::istream& in, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  in.read(reinterpret_cast<char*>(&value), sizeof value);
  if (!in) throw Error("a saved statistic ends too early");
}

// `values`: anything with data() and size().
template <class Values>
void save_values(std::ostream& out, const Values& values) {
  save_value(out, static_cast<std::uint64_t>(values.size()));
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(*values.data())));
}

// The loaded values must be as many as those they replace.
template <class Values>
void load_values(std::istream& in, Values& values) {
  std::uint64_t count = 0;
  load_value(in, count);
  if (count != values.size()) throw Error("a saved statistic is of another shape");
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(*values.data())));
  if (!in) throw Error("a saved statistic ends too early");
}

}  // namespace fsieve
