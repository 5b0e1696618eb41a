// The functions that are used of OpenBLAS.
#pragma once

#include <cblas.h>

namespace fsieve::blas {

#ifdef FSIEVE_OPENBLAS_WHEEL

// Those of the wheel carry the prefix scipy_, so that they never meet another OpenBLAS.
struct OpenBlas {
  decltype(&scipy_cblas_dgemm) dgemm;
  decltype(&scipy_cblas_sgemm) sgemm;
  decltype(&scipy_cblas_dsyrk) dsyrk;
  decltype(&scipy_cblas_ssyrk) ssyrk;
  decltype(&scipy_cblas_dgemv) dgemv;
  decltype(&scipy_cblas_sgemv) sgemv;
  decltype(&scipy_cblas_dtrsm) dtrsm;
  decltype(&scipy_cblas_strsm) strsm;
  decltype(&scipy_cblas_ddot) ddot;
  decltype(&scipy_cblas_daxpy) daxpy;
  decltype(&scipy_openblas_get_config) config;
  decltype(&scipy_openblas_get_corename) core_name;
};

// Loaded when it is first needed, with no threads of its own. A program that is linked to it has a
// thread for every core before its main() begins, and each looks for work, again and again, for
// some hundredths of a second. Throws Error where it is not found.
[[nodiscard]] const OpenBlas& openblas();

#define FSIEVE_CBLAS(name) openblas().name
#else
#define FSIEVE_CBLAS(name) cblas_##name
#endif

}  // namespace fsieve::blas
