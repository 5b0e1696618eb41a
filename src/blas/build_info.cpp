#include <hwy/highway.h>

#include "blas/blas.h"
#include "fsieve/version.h"

namespace fsieve {

std::string build_info() {
  const std::int64_t supported = hwy::SupportedTargets();
  const std::int64_t best = supported & -supported;  // better targets have lower bits
  return "BLAS: " + blas::description() + "\nSIMD: " + hwy::TargetName(best) + "\n";
}

}  // namespace fsieve
