// The device that helps a forward search, from when its work is worth waking one: what was done
// without it counts too, since more of that is to come.
#pragma once

#include <memory>
#include <optional>

#include "device/algebra.h"
#include "methods/forward/device_scan.h"

namespace fsieve::inline methods {

class SearchDevice {
 public:
  explicit SearchDevice(const Device& device) : device_(device) {}

  // For so many multiply-adds, which the cores would do in single precision; null: they do.
  [[nodiscard]] const std::shared_ptr<blas::Accelerator>& for_work(double multiply_adds) {
    if (!open_ && multiply_adds > 0) open_ = open_accelerator(device_, work_ += multiply_adds / 2);
    return open_;
  }

  // The same for a scan of data that outlive this, always the same ones.
  [[nodiscard]] const DeviceColumns* for_scan(const SupervisedData& data, double multiply_adds) {
    const auto& device = multiply_adds > 0 ? for_work(multiply_adds) : nothing_;
    if (!device || (!columns_ && !DeviceColumns::fit(*device, data))) return nullptr;
    if (!columns_) columns_.emplace(device, data);
    return &*columns_;
  }

 private:
  Device device_;
  double work_ = 0;
  std::shared_ptr<blas::Accelerator> open_;
  std::shared_ptr<blas::Accelerator> nothing_;
  std::optional<DeviceColumns> columns_;
};

}  // namespace fsieve::methods
