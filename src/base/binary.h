// How accumulators save and load their numbers: little-endian values one by one, arrays behind
// their count. Equal states give equal bytes, on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <istream>
#include <ostream>
#include <type_traits>

#include "fsieve/error.h"

namespace fsieve::inline base {

namespace detail {

// The bytes of a number from the lowest to the highest, or back.
template <class T>
std::array<char, sizeof(T)> little_endian(std::array<char, sizeof(T)> bytes) {
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

}  // namespace detail

// Numbers only: what lies between the fields of a struct is not defined.
template <class T>
void save_value(std::ostream& out, T value) {
  static_assert(std::is_arithmetic_v<T>);
  using Bytes = std::array<char, sizeof(T)>;
  out.write(detail::little_endian<T>(std::bit_cast<Bytes>(value)).data(), sizeof(T));
}

template <class T>
void load_value(std::istream& in, T& value) {
  static_assert(std::is_arithmetic_v<T>);
  std::array<char, sizeof(T)> bytes{};
  in.read(bytes.data(), sizeof(T));
  if (!in) throw Error("a saved statistic ends too early");
  value = std::bit_cast<T>(detail::little_endian<T>(bytes));
}

inline void save_count(std::ostream& out, std::size_t count) {
  save_value(out, static_cast<std::uint64_t>(count));
}

// What is loaded must have as many values as what it replaces.
inline void load_count(std::istream& in, std::size_t expected) {
  std::uint64_t count = 0;
  load_value(in, count);
  if (count != expected) throw Error("a saved statistic is of another shape");
}

// `values`: anything with data() and size().
template <class Values>
void save_values(std::ostream& out, const Values& values) {
  using T = std::remove_cvref_t<decltype(*values.data())>;
  static_assert(std::is_arithmetic_v<T>);
  save_count(out, values.size());
  if constexpr (std::endian::native == std::endian::little) {
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(T)));
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) save_value(out, values.data()[i]);
  }
}

template <class Values>
void load_values(std::istream& in, Values& values) {
  using T = std::remove_cvref_t<decltype(*values.data())>;
  static_assert(std::is_arithmetic_v<T>);
  load_count(in, values.size());
  if constexpr (std::endian::native == std::endian::little) {
    in.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
    if (!in) throw Error("a saved statistic ends too early");
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) load_value(in, values.data()[i]);
  }
}

// What a saved state begins with that outlives the program (a pickle): "fsieve", then the version
// of the format, which changes whenever the bytes mean something else.
inline constexpr std::uint64_t saved_format = 0x0002'6576'6569'7366;

inline void save_format(std::ostream& out) { save_value(out, saved_format); }

inline void load_format(std::istream& in) {
  std::uint64_t format = 0;
  load_value(in, format);
  if (format != saved_format) {
    throw Error("this state was saved by another version of fsieve: add the rows again");
  }
}

}  // namespace fsieve::base
