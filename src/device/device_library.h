// The library that knows the devices, loaded when it is first asked for: fsieve itself runs on
// machines that have neither.
#pragma once

#include <memory>
#include <string>

#include "device/algebra_abi.h"
#include "device/screen_abi.h"

namespace fsieve::inline device {

// What algebra_abi.h offers.
struct AlgebraFunctions {
  decltype(&fsieve_algebra_open) open = nullptr;
  decltype(&fsieve_algebra_close) close = nullptr;
  decltype(&fsieve_algebra_room) room = nullptr;
  decltype(&fsieve_algebra_take) take = nullptr;
  decltype(&fsieve_algebra_give) give = nullptr;
  decltype(&fsieve_algebra_put) put = nullptr;
  decltype(&fsieve_algebra_get) get = nullptr;
  decltype(&fsieve_algebra_copy) copy = nullptr;
  decltype(&fsieve_algebra_evaluate) evaluate = nullptr;
  decltype(&fsieve_algebra_gemm) gemm = nullptr;
  decltype(&fsieve_algebra_syrk) syrk = nullptr;
  decltype(&fsieve_algebra_solve) solve = nullptr;
  decltype(&fsieve_algebra_keep_pace) keep_pace = nullptr;
};

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
  AlgebraFunctions algebra;

 private:
  void* handle_ = nullptr;  // never closed: a driver does not like to be unloaded
  std::string path_;
  decltype(&fsieve_screen_devices) devices_ = nullptr;

  void load();
  void* symbol(const char* name) const;
  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
  }
};

// The one of this process, loaded by the first call that succeeds.
[[nodiscard]] const std::shared_ptr<const DeviceLibrary>& device_library();

}  // namespace fsieve::device
