// Calls from outside: what no exception may pass, and which GPUs are taken.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "memory.h"

namespace fsieve_cuda {

inline void say(char* message, std::size_t size, const char* what) {
  if (message != nullptr && size > 0) std::snprintf(message, size, "%s", what);
}

template <class Result, class Work>
Result guarded(Result failed, char* message, std::size_t size, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    say(message, size, error.what());
  } catch (...) {
    say(message, size, "something went wrong");
  }
  return failed;
}

// Makes it the device of this thread. Throws where it is too old.
inline void take_device(int device) {
  check(cudaSetDevice(device));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  if (properties.major < 9) {
    throw Failure(std::string(properties.name) + " is of compute capability " +
                  std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                  ", and 9.0 or newer is needed");
  }
}

// $FSIEVE_CUDA_MEMORY: bytes that tables may take.
inline std::size_t most_memory() {
  const char* given = std::getenv("FSIEVE_CUDA_MEMORY");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : SIZE_MAX;
}

}  // namespace fsieve_cuda
