#include "base/instruction_set.h"
#include "fsieve/version.h"
#include "linalg/blas.h"

namespace fsieve {

std::string build_info() {
  simd::obey_environment();
  const std::string best = simd::available().front();
  std::string set = simd::chosen();
  if (set != best) set += " (FSIEVE_SIMD; the best here is " + best + ")";
  return "BLAS: " + blas::description() + "\nSIMD: " + set + "\n";
}

}  // namespace fsieve
