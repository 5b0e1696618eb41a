#include "linalg/blas.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "base/stop.h"
#include "fsieve/error.h"
#include "linalg/openblas.h"
#include "linalg/pieces.h"

namespace fsieve::blas {
namespace {

CBLAS_TRANSPOSE cblas(Op op) { return op == Op::none ? CblasNoTrans : CblasTrans; }

std::atomic<std::uint64_t> counted{0};

void count(std::size_t multiply_adds) {
  if (multiply_adds >= 100'000) counted.fetch_add(multiply_adds, std::memory_order_relaxed);
}

// CBLAS counts in int.
constexpr std::size_t most_int = std::numeric_limits<int>::max();

int as_int(std::size_t value) {
  if (value > most_int) {
    throw Error(
        fmt::format("a matrix with {} rows is more than BLAS can count ({})", value, most_int));
  }
  return static_cast<int>(value);
}

// Vectors may be longer: the rows of all classes, one after another.
constexpr std::size_t piece = std::size_t{1} << 30U;

// The inner length of one call. OpenBLAS adds it up in blocks of its own, 192 to 512 long by CPU: a
// common multiple of these lengths gives the same sums to the bit, and takes a fifth of a second.
constexpr std::size_t inner_piece = 84'480;

// Calls call(first, length) for the pieces of an inner length k, and stops between two of them when
// asked to.
template <class Call>
void in_inner_pieces(std::size_t k, const Call& call) {
  call(std::size_t{0}, std::min(inner_piece, k));
  for (std::size_t first = inner_piece; first < k; first += inner_piece) {
    stop_if_asked();
    call(first, std::min(inner_piece, k - first));
  }
}

// Where the piece from `first` on of op(A) begins when the inner length runs along its columns (the
// left factor), or along its rows (the right one).
std::size_t left_at(Op op, std::size_t first, std::size_t lda) {
  return op == Op::none ? first * lda : first;
}
std::size_t right_at(Op op, std::size_t first, std::size_t ldb) {
  return op == Op::none ? first : first * ldb;
}

void solve(CBLAS_SIDE side, CBLAS_TRANSPOSE op, std::size_t m, std::size_t n, const double* l,
           std::size_t ldl, double* b, std::size_t ldb) {
  if (m == 0 || n == 0) return;
  count(m * n * (side == CblasLeft ? m : n) / 2);
  FSIEVE_CBLAS(dtrsm)
  (CblasColMajor, side, CblasLower, op, CblasNonUnit, as_int(m), as_int(n), 1.0, l, as_int(ldl), b,
   as_int(ldb));
}

}  // namespace

void gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, double alpha,
          const double* a, std::size_t lda, const double* b, std::size_t ldb, double beta,
          double* c, std::size_t ldc) {
  if (m == 0 || n == 0) return;
  count(m * n * k);
  in_inner_pieces(k, [&](std::size_t first, std::size_t length) {
    FSIEVE_CBLAS(dgemm)
    (CblasColMajor, cblas(a_op), cblas(b_op), as_int(m), as_int(n), as_int(length), alpha,
     a + left_at(a_op, first, lda), as_int(lda), b + right_at(b_op, first, ldb), as_int(ldb),
     first == 0 ? beta : 1, c, as_int(ldc));
  });
}

void gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc) {
  if (m == 0 || n == 0) return;
  count(m * n * k / 2);
  in_inner_pieces(k, [&](std::size_t first, std::size_t length) {
    FSIEVE_CBLAS(sgemm)
    (CblasColMajor, cblas(a_op), cblas(b_op), as_int(m), as_int(n), as_int(length), alpha,
     a + left_at(a_op, first, lda), as_int(lda), b + right_at(b_op, first, ldb), as_int(ldb),
     first == 0 ? beta : 1, c, as_int(ldc));
  });
}

void syrk_lower(Op op, std::size_t n, std::size_t k, double alpha, const double* a, std::size_t lda,
                double beta, double* c, std::size_t ldc) {
  if (n == 0) return;
  count(n * (n + 1) / 2 * k);
  in_inner_pieces(k, [&](std::size_t first, std::size_t length) {
    FSIEVE_CBLAS(dsyrk)
    (CblasColMajor, CblasLower, cblas(op), as_int(n), as_int(length), alpha,
     a + left_at(op, first, lda), as_int(lda), first == 0 ? beta : 1, c, as_int(ldc));
  });
}

void syrk_lower(Op op, std::size_t n, std::size_t k, float alpha, const float* a, std::size_t lda,
                float beta, float* c, std::size_t ldc) {
  if (n == 0) return;
  count(n * (n + 1) / 4 * k);
  in_inner_pieces(k, [&](std::size_t first, std::size_t length) {
    FSIEVE_CBLAS(ssyrk)
    (CblasColMajor, CblasLower, cblas(op), as_int(n), as_int(length), alpha,
     a + left_at(op, first, lda), as_int(lda), first == 0 ? beta : 1, c, as_int(ldc));
  });
}

void gemv(Op op, std::size_t m, std::size_t n, float alpha, const float* a, std::size_t lda,
          const float* x, float beta, float* y) {
  if (m == 0 || n == 0) return;
  FSIEVE_CBLAS(sgemv)
  (CblasColMajor, cblas(op), as_int(m), as_int(n), alpha, a, as_int(lda), x, 1, beta, y, 1);
}

void gemv(Op op, std::size_t m, std::size_t n, double alpha, const double* a, std::size_t lda,
          const double* x, double beta, double* y) {
  if (m == 0 || n == 0) return;
  FSIEVE_CBLAS(dgemv)
  (CblasColMajor, cblas(op), as_int(m), as_int(n), alpha, a, as_int(lda), x, 1, beta, y, 1);
}

void solve_lower(std::size_t m, std::size_t n, const double* l, std::size_t ldl, double* b,
                 std::size_t ldb) {
  solve(CblasLeft, CblasNoTrans, m, n, l, ldl, b, ldb);
}

void solve_lower_transposed(std::size_t m, std::size_t n, const double* l, std::size_t ldl,
                            double* b, std::size_t ldb) {
  solve(CblasLeft, CblasTrans, m, n, l, ldl, b, ldb);
}

void solve_right_transposed(std::size_t m, std::size_t n, const double* l, std::size_t ldl,
                            double* b, std::size_t ldb) {
  solve(CblasRight, CblasTrans, m, n, l, ldl, b, ldb);
}

void solve_right_transposed(std::size_t m, std::size_t n, const float* l, std::size_t ldl, float* b,
                            std::size_t ldb) {
  if (m == 0 || n == 0) return;
  count(m * n * n / 4);
  FSIEVE_CBLAS(strsm)
  (CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(m), as_int(n), 1.0F, l,
   as_int(ldl), b, as_int(ldb));
}

double dot(std::size_t n, const double* x, const double* y) {
  double sum = 0;
  for_each_piece(n, piece, [&](std::size_t first, std::size_t count) {
    sum += FSIEVE_CBLAS(ddot)(as_int(count), x + first, 1, y + first, 1);
  });
  return sum;
}

void axpy(std::size_t n, double alpha, const double* x, double* y) {
  for_each_piece(n, piece, [&](std::size_t first, std::size_t count) {
    FSIEVE_CBLAS(daxpy)(as_int(count), alpha, x + first, 1, y + first, 1);
  });
}

double counted_multiply_adds() {
  return static_cast<double>(counted.load(std::memory_order_relaxed));
}

std::string description() {
#ifdef FSIEVE_OPENBLAS_WHEEL
  return std::string(openblas().config()) + ", kernel " + openblas().core_name();
#else
  return "system BLAS";
#endif
}

}  // namespace fsieve::blas
