// Tables in the memory of the GPU that are made once and kept while there is room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <list>

namespace fsieve_cuda {

// At most `limit` values; the one that was not asked for the longest makes room, and its storage is
// used again.
template <class Key, class Value>
class Cache {
 public:
  explicit Cache(std::size_t limit) : limit_(std::max<std::size_t>(limit, 1)) {}

  // make(value) fills the storage of a value; the values of the last `limit` calls are valid.
  template <class Make>
  Value& get(const Key& key, const Make& make) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto& entry) { return entry.key == key; });
    if (found != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, found);
      return entries_.front().value;
    }
    if (entries_.size() < limit_) {
      entries_.emplace_front();
    } else {
      entries_.splice(entries_.begin(), entries_, std::prev(entries_.end()));
    }
    entries_.front().key = key;
    make(entries_.front().value);
    return entries_.front().value;
  }

 private:
  struct Entry {
    Key key;
    Value value;
  };

  std::size_t limit_;
  std::list<Entry> entries_;  // the one that was asked for last is in front
};

}  // namespace fsieve_cuda
