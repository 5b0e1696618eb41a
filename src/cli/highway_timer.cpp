// Highway's library measures how finely a timer counts when it is loaded: a seventh of the time of
// a short command, for benchmarks that the program has none of. A definition in the program comes
// before the library's.
#include <cstdint>

#include <hwy/nanobenchmark.h>

std::uint64_t hwy::platform::TimerResolution() { return 1; }
