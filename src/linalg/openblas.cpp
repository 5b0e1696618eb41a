#include "linalg/openblas.h"

#ifdef FSIEVE_OPENBLAS_WHEEL

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include "fsieve/error.h"

namespace fsieve::blas {
namespace {

// While it lives this thread may run on the core where it is, and on no other.
class OnOneCore {
 public:
  OnOneCore() {
    const int core = sched_getcpu();
    if (core < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(core), &one);
    changed_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OnOneCore() {
    if (changed_) sched_setaffinity(0, sizeof before_, &before_);
  }
  OnOneCore(const OnOneCore&) = delete;
  OnOneCore& operator=(const OnOneCore&) = delete;

 private:
  cpu_set_t before_{};
  bool changed_ = false;
};

// OpenBLAS starts as many threads as there are cores for the thread that loads it.
void* loaded() {
  const OnOneCore alone;
  void* const library = dlopen("libscipy_openblas.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(fmt::format("OpenBLAS cannot be loaded: {}", dlerror()));
  return library;
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  void* const place = dlsym(library, name);
  if (place == nullptr) throw Error(fmt::format("OpenBLAS has no {}: {}", name, dlerror()));
  function = reinterpret_cast<Function>(place);
}

OpenBlas load() {
  void* const library = loaded();
  OpenBlas blas{};
  find(library, "scipy_cblas_dgemm", blas.dgemm);
  find(library, "scipy_cblas_sgemm", blas.sgemm);
  find(library, "scipy_cblas_dsyrk", blas.dsyrk);
  find(library, "scipy_cblas_ssyrk", blas.ssyrk);
  find(library, "scipy_cblas_dgemv", blas.dgemv);
  find(library, "scipy_cblas_sgemv", blas.sgemv);
  find(library, "scipy_cblas_dtrsm", blas.dtrsm);
  find(library, "scipy_cblas_strsm", blas.strsm);
  find(library, "scipy_cblas_ddot", blas.ddot);
  find(library, "scipy_cblas_daxpy", blas.daxpy);
  find(library, "scipy_openblas_get_config", blas.config);
  find(library, "scipy_openblas_get_corename", blas.core_name);
  // It may have been loaded before, by a program that is linked to it. Threads of ours call it: its
  // own would be too many.
  decltype(&scipy_openblas_set_num_threads) set_threads = nullptr;
  find(library, "scipy_openblas_set_num_threads", set_threads);
  set_threads(1);
  return blas;
}

}  // namespace

const OpenBlas& openblas() {
  static const OpenBlas blas = load();
  return blas;
}

}  // namespace fsieve::blas

#endif
