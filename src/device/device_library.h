// The library that knows the devices, loaded when it is first asked for: fsieve itself runs on
// machines that have neither.
#pragma once

#include <string>

#include "device/screen_abi.h"

namespace fsieve::inline device {

class DeviceLibrary {
 public:
  // Loads $FSIEVE_CUDA_LIBRARY, or libfsieve_cuda.so from beside this library or where the system
  // looks. Throws Error where there is none, or one of another version.
  explicit DeviceLibrary();

  // How many devices it can use. Throws Error where there is none.
  [[nodiscard]] int devices() const;

  decltype(&fsieve_screen_open) open = nullptr;
  decltype(&fsieve_screen_close) close = nullptr;
  decltype(&fsieve_screen_begin) begin = nullptr;
  decltype(&fsieve_screen_end) end = nullptr;

 private:
  void* handle_ = nullptr;  // never closed: a driver does not like to be unloaded
  std::string path_;
  decltype(&fsieve_screen_devices) devices_ = nullptr;

  void load();
  void* symbol(const char* name) const;
};

}  // namespace fsieve::device
