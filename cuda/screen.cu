// libfsieve_cuda.so: what device/screen_abi.h promises, on one NVIDIA GPU. The host names a range
// of subsets and gets those whose sum may be large enough; how they are found is the plan's choice.
#include "device/screen_abi.h"

#include <cstdint>
#include <vector>

#include "calls.h"
#include "count_tables.h"
#include "found_list.h"
#include "fused_screen.h"
#include "loaded_table.h"
#include "memory.h"
#include "plan.h"
#include "sifted_screen.h"
#include "subsets.h"

namespace fsieve_cuda {
namespace {

class Screen {
 public:
  Screen(int device, const fsieve_screen_table& given, std::uint64_t room)
      : device_(device),
        table_(given, stream_.get()),
        list_(static_cast<int>(given.k), room),
        plan_(static_cast<int>(given.k), table_.products(), table_.bits()),
        tables_(table_, plan_, device, stream_.get()),
        fused_(tables_),
        sifted_(tables_) {}

  void begin(std::uint64_t first, std::uint64_t end, float least) {
    list_.clear(stream_.get());
    if (first >= end) return;
    const std::vector<int> from = subset_of(first, plan_.k);
    const std::vector<int> to = subset_of(end - 1, plan_.k);
    if (plan_.k == 2) {
      sifted_.pairs(from[1], to[1], least, list_.hits());
    } else if (plan_.fused && plan_.k == 3) {
      fused_.triples(from[2], to[2], least, list_.hits());
    } else if (plan_.fused) {
      fused_.quadruples(from, to, least, list_.hits());
    } else {
      sifted_.larger(from, to, least, list_.hits());
    }
    check(cudaGetLastError());
  }

  std::int64_t end(std::uint32_t* found, float* sums) {
    return list_.fetch(found, sums, stream_.get());
  }

  [[nodiscard]] int device() const { return device_; }

 private:
  int device_;
  Stream stream_;
  LoadedTable table_;
  FoundList list_;
  Plan plan_;
  CountTables tables_;
  FusedScreen fused_;
  SiftedScreen sifted_;
};

}  // namespace
}  // namespace fsieve_cuda

#pragma GCC visibility push(default)
extern "C" {

int fsieve_screen_version(void) { return FSIEVE_SCREEN_VERSION; }

int fsieve_screen_devices(char* message, size_t size) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  const char* why = cudaGetErrorString(status);
  if (status == cudaSuccess) why = "there is no GPU";
  if (status == cudaErrorInsufficientDriver) why = "there is no driver, or it is too old";
  fsieve_cuda::say(message, size, why);
  return -1;
}

void* fsieve_screen_open(int device, const struct fsieve_screen_table* table, uint64_t room,
                         char* message, size_t size) {
  return fsieve_cuda::guarded<void*>(nullptr, message, size, [&]() -> void* {
    fsieve_cuda::take_device(device);
    return new fsieve_cuda::Screen(device, *table, room);
  });
}

void fsieve_screen_close(void* screen) {
  auto* me = static_cast<fsieve_cuda::Screen*>(screen);
  cudaSetDevice(me->device());
  cudaDeviceSynchronize();
  delete me;
}

int fsieve_screen_begin(void* screen, uint64_t first, uint64_t end, float least, char* message,
                        size_t size) {
  auto* me = static_cast<fsieve_cuda::Screen*>(screen);
  return fsieve_cuda::guarded<int>(-1, message, size, [&] {
    fsieve_cuda::check(cudaSetDevice(me->device()));
    me->begin(first, end, least);
    return 0;
  });
}

int64_t fsieve_screen_end(void* screen, uint32_t* found, float* sums, char* message, size_t size) {
  auto* me = static_cast<fsieve_cuda::Screen*>(screen);
  return fsieve_cuda::guarded<int64_t>(-1, message, size, [&] {
    fsieve_cuda::check(cudaSetDevice(me->device()));
    return me->end(found, sums);
  });
}

}  // extern "C"
#pragma GCC visibility pop
