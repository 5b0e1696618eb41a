#include <functional>
#include <utility>

#include "fsieve/source.h"

namespace fsieve {
namespace {

// Where the values of a copy are, which has a storage of its own.
const double* moved_along(const Block& from, const double* storage) {
  const double* const begin = from.storage.data();
  const double* const end = begin + from.storage.size();
  const bool borrowed = std::less<>()(from.values, begin) || !std::less<>()(from.values, end);
  return borrowed ? from.values : storage + (from.values - begin);
}

}  // namespace

Block::Block(const Block& other)
    : first_row(other.first_row),
      rows(other.rows),
      stride(other.stride),
      storage(other.storage),
      weights(other.weights),
      apart(other.apart),
      apart_values(other.apart_values) {
  values = moved_along(other, storage.data());
}

Block& Block::operator=(const Block& other) {
  if (this != &other) *this = Block(other);
  return *this;
}

// Moved storage stays where it is, so pointers into it hold; what is left behind is empty.
Block::Block(Block&& other) noexcept { *this = std::move(other); }

Block& Block::operator=(Block&& other) noexcept {
  if (this == &other) return *this;
  first_row = std::exchange(other.first_row, 0);
  rows = std::exchange(other.rows, 0);
  stride = std::exchange(other.stride, 0);
  values = std::exchange(other.values, nullptr);
  storage = std::exchange(other.storage, {});
  weights = std::exchange(other.weights, {});
  apart = std::exchange(other.apart, 0);
  apart_values = std::exchange(other.apart_values, nullptr);
  return *this;
}

}  // namespace fsieve
