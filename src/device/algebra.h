// The accelerator that a device is, behind the library that knows it.
#pragma once

#include <memory>

#include "fsieve/device.h"
#include "linalg/accelerator.h"

namespace fsieve::inline device {

// A device for work of so many multiply-adds of doubles; none: the cores do it. Throws Error where
// a GPU was asked for by name and cannot be had; where it is only welcome, there is none then. Of
// several GPUs the first is taken.
[[nodiscard]] std::shared_ptr<blas::Accelerator> open_accelerator(const Device& device,
                                                                  double multiply_adds);

}  // namespace fsieve::device
