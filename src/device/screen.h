// Subsets of two-valued features, screened on a device: it counts and bounds, and names those that
// may score well. What they score is computed by the code of the CPU, so results are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bits/class_bits.h"
#include "bits/number_ranges.h"
#include "device/device_library.h"

namespace fsieve::inline device {

// What decides whether a subset is promising (screen_abi.h).
enum class ScreenSum { leads, products };

// The bits of two classes, and the subsets that are asked for.
struct ScreenTable {
  const ClassSegments& order;
  const BitStore& bits;
  std::size_t features;
  std::size_t k;
  ScreenSum sum = ScreenSum::leads;
  const float* set_weights = nullptr;  // of ScreenSum::products
  const float* clear_weights = nullptr;

  [[nodiscard]] double rows() const {
    return static_cast<double>(order.rows[0]) + static_cast<double>(order.rows[1]);
  }
};

// One device with one table.
class Screen {
 public:
  // Subsets that may be found in one go.
  static constexpr std::uint64_t room = std::uint64_t{1} << 20U;

  // Throws Error where the device cannot take the table.
  Screen(const std::shared_ptr<const DeviceLibrary>& library, int device, const ScreenTable& table);

  // Begins to look for the subsets of a range whose sum is `least` or more, in single precision.
  void begin(NumberRange range, float least);

  // Waits; the subsets found, all of the range. None: there are too many.
  [[nodiscard]] std::optional<std::vector<std::vector<std::size_t>>> end();

 private:
  struct Close {
    std::shared_ptr<const DeviceLibrary> library;
    void operator()(void* screen) const { library->close(screen); }
  };

  int device_;
  std::size_t k_;
  std::unique_ptr<void, Close> screen_;
  NumberRange range_;
  std::vector<std::uint32_t> found_;
};

}  // namespace fsieve::device
