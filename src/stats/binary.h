// How accumulators save and load their numbers: raw little-endian values behind their count.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <vector>

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

template <class T>
void save_values(std::ostream& out, const std::vector<T>& values) {
  save_value(out, static_cast<std::uint64_t>(values.size()));
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
}

// The loaded vector must have the length of the one it replaces.
template <class T>
void load_values(std::istream& in, std::vector<T>& values) {
  std::uint64_t count = 0;
  load_value(in, count);
  if (count != values.size()) throw Error("a saved statistic is of another shape");
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!in) throw Error("a saved statistic ends too early");
}

}  // namespace fsieve
