// Two tasks add to one number, and nothing keeps them apart: what the thread sanitizer must see, to
// be believed where it sees nothing.
#include <cstddef>
#include <cstdio>

#include "base/parallel.h"

int main() {
  std::size_t sum = 0;
  for (int times = 0; times < 100; ++times) {
    fsieve::in_parallel(100'000, [&](std::size_t i) { sum += i; });
  }
  std::printf("%zu\n", sum);
}
