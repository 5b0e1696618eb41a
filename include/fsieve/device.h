// Which machine part a search runs on. Results do not depend on it.
#pragma once

#include <optional>

namespace fsieve {

struct Device {
  enum class Kind {
    automatic,  // GPUs where there are some and the work is worth it
    cpu,
    cuda  // NVIDIA GPUs; an error where there is none
  };
  Kind kind = Kind::automatic;
  std::optional<int> number;  // of the GPU, from 0; none: all of them
};

}  // namespace fsieve
