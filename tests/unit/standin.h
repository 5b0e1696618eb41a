// The device that stands in for a GPU (tests/device), for as long as this lives.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

namespace fsieve::testing {

// Sets variables of the environment: its settings, and where it is.
class StandIn {
 public:
  StandIn(std::initializer_list<std::pair<const char*, const char*>> variables)
      : variables_(variables) {
    variables_.emplace_back("FSIEVE_CUDA_LIBRARY", DEVICE_STANDIN);
    for (const auto& [name, value] : variables_) setenv(name, value, 1);
  }
  ~StandIn() {
    for (const auto& [name, value] : variables_) unsetenv(name);
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

 private:
  std::vector<std::pair<const char*, const char*>> variables_;
};

}  // namespace fsieve::testing
