#include "table/number_convert.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "table/half_float.h"

namespace fsieve::io::inline table {
namespace {

template <typename Number>
double load(const char* at, bool swapped) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), at, sizeof(Number));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  Number number{};
  std::memcpy(&number, bytes.data(), sizeof(Number));
  return static_cast<double>(number);
}

double load_half(const char* at, bool swapped) {
  return half_to_double(static_cast<std::uint16_t>(load<std::uint16_t>(at, swapped)));
}

double load_bool(const char* at, bool /*swapped*/) { return *at != 0 ? 1.0 : 0.0; }

using Loader = double (*)(const char*, bool);

template <Loader loader>
void convert(const char* from, std::ptrdiff_t step, bool swapped, double* to, std::size_t count) {
  if (swapped) {
    for (std::size_t i = 0; i < count; ++i, from += step) to[i] = loader(from, true);
  } else {
    for (std::size_t i = 0; i < count; ++i, from += step) to[i] = loader(from, false);
  }
}

}  // namespace

NumberConverter number_converter(char kind, std::size_t item_size) {
  switch (kind) {
    case 'f':
      if (item_size == 2) return convert<load_half>;
      return item_size == 4 ? convert<load<float>> : convert<load<double>>;
    case 'i':
      if (item_size == 1) return convert<load<std::int8_t>>;
      if (item_size == 2) return convert<load<std::int16_t>>;
      return item_size == 4 ? convert<load<std::int32_t>> : convert<load<std::int64_t>>;
    case 'u':
      if (item_size == 1) return convert<load<std::uint8_t>>;
      if (item_size == 2) return convert<load<std::uint16_t>>;
      return item_size == 4 ? convert<load<std::uint32_t>> : convert<load<std::uint64_t>>;
    default:
      return convert<load_bool>;
  }
}

}  // namespace fsieve::io::table
