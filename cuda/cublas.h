// cuBLAS, loaded when matrices are first multiplied: bits are screened without it.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "memory.h"

namespace fsieve_cuda {

class Cublas {
 public:
  enum Op : int { none = 0, transpose = 1 };
  enum Side : int { left = 0, right = 1 };

  explicit Cublas(cudaStream_t stream) {
    load();
    check(create_(&handle_));
    check(set_stream_(handle_, stream));
  }
  ~Cublas() { destroy_(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // C = alpha op(A) op(B) + beta C.
  void gemm(Op a_op, Op b_op, std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
            const double* a, std::int64_t lda, const double* b, std::int64_t ldb, double beta,
            double* c, std::int64_t ldc) const {
    check(gemm_(handle_, a_op, b_op, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
  }
  // The lower triangle of C = alpha op(A) op(A)^T + beta C.
  void syrk(Op op, std::int64_t n, std::int64_t k, double alpha, const double* a, std::int64_t lda,
            double beta, double* c, std::int64_t ldc) const {
    check(syrk_(handle_, lower, op, n, k, &alpha, a, lda, &beta, c, ldc));
  }
  // B = L^-1 B, or B = B L^-T on the right.
  void solve(Side side, std::int64_t m, std::int64_t n, const double* l, std::int64_t ldl,
             double* b, std::int64_t ldb) const {
    const double one = 1;
    check(trsm_(handle_, side, lower, side == right ? transpose : none, 0, m, n, &one, l, ldl, b,
                ldb));
  }

 private:
  // Of cuBLAS: its functions are declared here, so that building needs none of its files.
  using Handle = struct cublasContext*;
  using Length = std::int64_t;
  static constexpr int lower = 0;

  static void check(int status) {
    if (status != 0) throw Failure("cuBLAS fails with status " + std::to_string(status));
  }

  // By the name of the system, or from the wheels of NVIDIA beside this library's.
  static std::vector<std::string> places() {
    std::vector<std::string> found;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
      found.emplace_back(name);
    }
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void*>(&places), &here) == 0) return found;
    const std::filesystem::path packages =
        std::filesystem::path(here.dli_fname).parent_path().parent_path();
    found.push_back(packages / "nvidia/cu13/lib/libcublas.so.13");
    found.push_back(packages / "nvidia/cublas/lib/libcublas.so.12");
    found.emplace_back("/usr/local/cuda/lib64/libcublas.so");
    return found;
  }

  void load() {
    void* library = nullptr;
    for (const std::string& place : places()) {
      library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
    }
    if (library == nullptr) throw Failure("libcublas.so, of CUDA 12 or newer, cannot be loaded");
    find(library, "cublasCreate_v2", create_);
    find(library, "cublasDestroy_v2", destroy_);
    find(library, "cublasSetStream_v2", set_stream_);
    find(library, "cublasDgemm_v2_64", gemm_);
    find(library, "cublasDsyrk_v2_64", syrk_);
    find(library, "cublasDtrsm_v2_64", trsm_);
  }

  template <class Function>
  static void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw Failure(std::string("libcublas.so has no ") + name);
  }

  Handle handle_ = nullptr;
  int (*create_)(Handle*) = nullptr;
  int (*destroy_)(Handle) = nullptr;
  int (*set_stream_)(Handle, cudaStream_t) = nullptr;
  int (*gemm_)(Handle, int, int, Length, Length, Length, const double*, const double*, Length,
               const double*, Length, const double*, double*, Length) = nullptr;
  int (*syrk_)(Handle, int, int, Length, Length, const double*, const double*, Length,
               const double*, double*, Length) = nullptr;
  int (*trsm_)(Handle, int, int, int, int, Length, Length, const double*, const double*, Length,
               double*, Length) = nullptr;
};

}  // namespace fsieve_cuda
