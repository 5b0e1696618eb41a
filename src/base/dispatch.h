// Calls a kernel that HWY_EXPORT made known, compiled for the instruction set that is chosen. For
// files that include <hwy/highway.h>.
#pragma once

#include "base/instruction_set.h"

#define FSIEVE_DISPATCH(kernel) (fsieve::simd::obey_environment(), HWY_DYNAMIC_DISPATCH(kernel))
