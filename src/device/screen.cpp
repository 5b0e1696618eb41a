#include "device/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bits/subset_tiles.h"
#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

using Message = std::array<char, 512>;

[[noreturn]] void failed(int device, const Message& message) {
  throw Error(fmt::format("GPU {}: {}; --device cpu does without it", device, message.data()));
}

fsieve_screen_table described(const ScreenTable& table) {
  const auto& segments = table.order.segments;
  return {static_cast<std::uint32_t>(table.k),
          static_cast<std::uint32_t>(table.sum == ScreenSum::leads ? fsieve_sum_of_leads
                                                                   : fsieve_sum_of_products),
          table.features,
          table.order.words,
          table.bits.column(0),
          {segments[0].first, segments[1].first},
          {segments[0].words, segments[1].words},
          {table.order.rows[0], table.order.rows[1]},
          table.set_weights,
          table.clear_weights};
}

}  // namespace

Screen::Screen(const std::shared_ptr<const DeviceLibrary>& library, int device,
               const ScreenTable& table)
    : device_(device), k_(table.k), screen_(nullptr, Close{library}), found_(room * table.k) {
  Message message{};
  const fsieve_screen_table given = described(table);
  screen_.reset(library->open(device, &given, room, message.data(), message.size()));
  if (!screen_) failed(device_, message);
}

void Screen::begin(NumberRange range, float least) {
  range_ = range;
  Message message{};
  const int status = screen_.get_deleter().library->begin(screen_.get(), range.first, range.end,
                                                          least, message.data(), message.size());
  if (status < 0) failed(device_, message);
}

std::optional<std::vector<std::vector<std::size_t>>> Screen::end() {
  Message message{};
  const std::int64_t count = screen_.get_deleter().library->end(
      screen_.get(), found_.data(), nullptr, message.data(), message.size());
  if (count < 0) failed(device_, message);
  if (static_cast<std::uint64_t>(count) > room) return std::nullopt;
  std::vector<std::vector<std::size_t>> subsets;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const auto first = found_.begin() + static_cast<std::ptrdiff_t>(i * k_);
    std::vector<std::size_t> subset(first, first + static_cast<std::ptrdiff_t>(k_));
    const std::uint64_t number = subset_number(subset);
    if (number >= range_.first && number < range_.end) subsets.push_back(std::move(subset));
  }
  return subsets;
}

}  // namespace fsieve::device
