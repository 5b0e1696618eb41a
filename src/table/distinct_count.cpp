#include "table/distinct_count.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/binary_lists.h"

namespace fsieve::io::inline table {
namespace {

// Every bit of the input moves every bit of the output.
std::uint64_t mixed(std::uint64_t bits) {
  bits ^= bits >> 32U;
  bits *= 0xd6e8feb86659fd93U;
  bits ^= bits >> 32U;
  bits *= 0xd6e8feb86659fd93U;
  return bits ^ bits >> 32U;
}

void keep_distinct(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace

std::uint64_t hash_of(double value) {
  if (value == 0) value = 0;  // one zero
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return mixed(bits + 1);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() + 1;
  while (!text.empty()) {
    std::uint64_t bits = 0;
    const std::size_t count = std::min(text.size(), sizeof bits);
    std::memcpy(&bits, text.data(), count);
    hash = mixed(hash ^ bits);
    text.remove_prefix(count);
  }
  return mixed(hash);
}

double DistinctCount::estimate() const {
  std::vector<std::uint64_t> hashes = smallest_;
  keep_distinct(hashes);
  if (hashes.size() < kKept) return static_cast<double>(hashes.size());
  const double share = std::ldexp(static_cast<double>(hashes[kKept - 1]), -64);
  return static_cast<double>(kKept - 1) / share;
}

void DistinctCount::compact() {
  keep_distinct(smallest_);
  if (smallest_.size() <= kKept) return;
  smallest_.resize(kKept);
  limit_ = smallest_.back();
}

// The smallest of all are among the smallest of each.
void DistinctCount::merge(const DistinctCount& other) {
  limit_ = std::min(limit_, other.limit_);
  smallest_.insert(smallest_.end(), other.smallest_.begin(), other.smallest_.end());
  std::erase_if(smallest_, [&](std::uint64_t hash) { return hash > limit_; });
  compact();
}

void DistinctCount::save(std::ostream& out) const {
  DistinctCount compacted = *this;
  compacted.compact();
  save_value(out, compacted.limit_);
  save_values(out, compacted.smallest_);
}

void DistinctCount::load(std::istream& in) {
  load_value(in, limit_);
  load_list(in, smallest_);
}

}  // namespace fsieve::io::table
