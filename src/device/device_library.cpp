#include "device/device_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "fsieve/error.h"

namespace fsieve::inline device {
namespace {

constexpr const char* file_name = "libfsieve_cuda.so";

// The folder of the library or program that this is in; empty where it is not known.
std::filesystem::path own_folder() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &here) == 0) return {};
  const std::filesystem::path file = here.dli_fname != nullptr ? here.dli_fname : "";
  if (file.has_parent_path()) return file.parent_path();
  // A program that was found in $PATH is known by its name alone.
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

// Where the library may be, in order.
std::vector<std::string> places() {
  if (const char* given = std::getenv("FSIEVE_CUDA_LIBRARY"); given != nullptr && *given != '\0') {
    return {given};
  }
  std::vector<std::string> found;
  if (const std::filesystem::path folder = own_folder(); !folder.empty()) {
    found.push_back((folder / file_name).string());
    found.push_back((folder / "../lib" / file_name).string());  // a program with fsieve in it
    // The wheel fsieve-cuda beside the wheel fsieve: of its module, of its program.
    found.push_back((folder / "../fsieve_cuda" / file_name).string());
    found.push_back((folder / "../../fsieve_cuda" / file_name).string());
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
  decltype(&fsieve_screen_version) version = nullptr;
  find("fsieve_screen_version", version);
  if (version() != FSIEVE_SCREEN_VERSION) {
    throw Error(
        fmt::format("{} is of version {}, and this fsieve needs {}; install the one that "
                    "came with it or take --device cpu",
                    path_, version(), FSIEVE_SCREEN_VERSION));
  }
  find("fsieve_screen_devices", devices_);
  find("fsieve_screen_open", open);
  find("fsieve_screen_close", close);
  find("fsieve_screen_begin", begin);
  find("fsieve_screen_end", end);
#define FSIEVE_ALGEBRA_FIND(name) find("fsieve_algebra_" #name, algebra.name);
  FSIEVE_ALGEBRA_FUNCTIONS(FSIEVE_ALGEBRA_FIND)
#undef FSIEVE_ALGEBRA_FIND
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

const std::shared_ptr<const DeviceLibrary>& device_library() {
  static const auto loaded = std::make_shared<const DeviceLibrary>();
  return loaded;
}

}  // namespace fsieve::device
