// Which devices a search takes.
#pragma once

#include <memory>
#include <vector>

#include "device/screen.h"
#include "fsieve/device.h"

namespace fsieve::inline device {

// Throws Error where a GPU is asked for by name and there is none, before any work is done.
void check_device(const Device& device);

// A screen per device that is to be used; none: the CPU does the work alone. Throws Error where a
// GPU was asked for and cannot be had; where it is only welcome, there is none then.
[[nodiscard]] std::vector<std::unique_ptr<Screen>> open_screens(const Device& device,
                                                                const ScreenTable& table);

}  // namespace fsieve::device
