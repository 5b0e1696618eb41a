// The library that knows the devices, loaded when it is first asked for: fsieve itself runs on
// machines that have neither.
#pragma once

#include <memory>
#include <string>

#include "device/algebra_abi.h"
#include "device/screen_abi.h"

namespace fsieve::inline device {

// What algebra_abi.h offers: the names behind fsieve_algebra_.
#define FSIEVE_ALGEBRA_FUNCTIONS(each)                                                   \
  each(open) each(close) each(room) each(take) each(give) each(put) each(get) each(copy) \
      each(evaluate) each(gemm) each(syrk) each(solve) each(shares) each(find) each(keep_pace)

struct AlgebraFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): it names a member
#define FSIEVE_ALGEBRA_MEMBER(name) decltype(&fsieve_algebra_##name) name = nullptr;
  FSIEVE_ALGEBRA_FUNCTIONS(FSIEVE_ALGEBRA_MEMBER)
#undef FSIEVE_ALGEBRA_MEMBER
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
