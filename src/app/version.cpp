#include "fsieve/version.h"

namespace fsieve {

std::string version() { return FSIEVE_VERSION; }

}  // namespace fsieve
