#include "base/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace fsieve::inline base {
namespace {

// Plain storage that is never freed: a signal handler may look at it at any moment.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> named{false};
  std::array<char, PATH_MAX> path{};
};

std::array<Slot, 8> slots;

std::atomic<int> being_made{0};
std::atomic<bool> ending{false};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

}  // namespace

MakingFile::MakingFile() noexcept {
  // Either this sees the end, or the end sees this.
  ++being_made;
  if (!ending) return;
  --being_made;
  while (true) ::pause();
}

MakingFile::~MakingFile() { --being_made; }

bool stop_making_files() noexcept {
  ending = true;
  return being_made == 0;
}

void UnfinishedFile::set(const std::string& path) noexcept {
  release();
  if (path.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].named = true;
    slot_ = static_cast<int>(i);
    return;
  }
}

void UnfinishedFile::release() noexcept {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.named = false;
  slot.taken = false;
  slot_ = -1;
}

void remove_unfinished_files() noexcept {
  for (const Slot& slot : slots) {
    if (slot.named) ::unlink(slot.path.data());
  }
}

}  // namespace fsieve::base
