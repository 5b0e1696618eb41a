#include "device/device_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

constexpr const char* file_name = "libfsieve_cuda.so";

// Where the library may be, in order.
std::vector<std::string> places() {
  if (const char* given = std::getenv("FSIEVE_CUDA_LIBRARY"); given != nullptr && *given != '\0') {
    return {given};
  }
  std::vector<std::string> found;
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&places), &here) != 0 && here.dli_fname != nullptr) {
    const std::filesystem::path folder = std::filesystem::path(here.dli_fname).parent_path();
    found.push_back((folder / file_name).string());
    found.push_back((folder / "../lib" / file_name).string());  // a program with fsieve in it
  }
  found.emplace_back(file_name);
  return found;
}

}  // namespace

DeviceLibrary::DeviceLibrary() { load(); }

void DeviceLibrary::load() {
  std::string why;
  for (const std::string& place : places()) {
    handle_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      path_ = place;
      break;
    }
    const char* said = dlerror();
    why = said != nullptr ? said : "";
  }
  if (handle_ == nullptr) {
    throw Error(
        fmt::format("--device cuda needs the library {}, which cannot be loaded ({}); "
                    "install it or take --device cpu",
                    file_name, why));
  }
  const auto version =
      reinterpret_cast<decltype(&fsieve_screen_version)>(symbol("fsieve_screen_version"));
  if (version() != FSIEVE_SCREEN_VERSION) {
    throw Error(
        fmt::format("{} is of version {}, and this fsieve needs {}; install the one that "
                    "came with it or take --device cpu",
                    path_, version(), FSIEVE_SCREEN_VERSION));
  }
  devices_ = reinterpret_cast<decltype(devices_)>(symbol("fsieve_screen_devices"));
  open = reinterpret_cast<decltype(open)>(symbol("fsieve_screen_open"));
  close = reinterpret_cast<decltype(close)>(symbol("fsieve_screen_close"));
  begin = reinterpret_cast<decltype(begin)>(symbol("fsieve_screen_begin"));
  end = reinterpret_cast<decltype(end)>(symbol("fsieve_screen_end"));
}

void* DeviceLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) {
    throw Error(
        fmt::format("{} has no {}: it is no library of fsieve; take --device cpu", path_, name));
  }
  return found;
}

int DeviceLibrary::devices() const {
  std::vector<char> message(512);
  const int count = devices_(message.data(), message.size());
  if (count <= 0) {
    throw Error(
        fmt::format("--device cuda needs an NVIDIA GPU and its driver ({}); take --device "
                    "cpu",
                    message.data()));
  }
  return count;
}

}  // namespace fsieve::device
