// What one CPU core can do at best: bits counted and multiply-adds done in registers.
#pragma once

#include <cstddef>

namespace fsieve::bench {

// Does `rounds` rounds and returns how many 64-bit words were counted and added up, or only
// counted; or loaded from the first cache, anded, counted and added up, as counts of pairs must be.
double count_in_registers(std::size_t rounds);
double count_in_cache(std::size_t rounds);
double only_count_in_registers(std::size_t rounds);

// Does `rounds` rounds and returns how many multiply-adds of doubles were done.
double multiply_in_registers(std::size_t rounds);

}  // namespace fsieve::bench
