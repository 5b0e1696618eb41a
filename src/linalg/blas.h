// The thin header over CBLAS and LAPACK: column-major doubles, one thread per call. Threads are
// oneTBB's: work is cut into tiles of fixed size above this header (see tiles.h).
#pragma once

#include <cstddef>
#include <string>

namespace fsieve::blas {

enum class Op { none, transpose };

// C = alpha * op(A) * op(B) + beta * C, with C of m x n and an inner length of k.
void gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, double alpha,
          const double* a, std::size_t lda, const double* b, std::size_t ldb, double beta,
          double* c, std::size_t ldc);

// The same in single precision, for what only screens; so below.
void gemm(Op a_op, Op b_op, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc);

// The lower triangle of C = alpha * op(A) * op(A)^T + beta * C, with C of n x n and an inner length
// of k; the upper one is not touched.
void syrk_lower(Op op, std::size_t n, std::size_t k, double alpha, const double* a, std::size_t lda,
                double beta, double* c, std::size_t ldc);

void syrk_lower(Op op, std::size_t n, std::size_t k, float alpha, const float* a, std::size_t lda,
                float beta, float* c, std::size_t ldc);

// y = alpha * op(A) * x + beta * y, with A of m x n.
void gemv(Op op, std::size_t m, std::size_t n, double alpha, const double* a, std::size_t lda,
          const double* x, double beta, double* y);
void gemv(Op op, std::size_t m, std::size_t n, float alpha, const float* a, std::size_t lda,
          const float* x, float beta, float* y);

// B = L^-1 B, with L lower triangular of m x m and B of m x n.
void solve_lower(std::size_t m, std::size_t n, const double* l, std::size_t ldl, double* b,
                 std::size_t ldb);

// B = L^-T B.
void solve_lower_transposed(std::size_t m, std::size_t n, const double* l, std::size_t ldl,
                            double* b, std::size_t ldb);

// B = B L^-T, with L lower triangular of n x n and B of m x n.
void solve_right_transposed(std::size_t m, std::size_t n, const double* l, std::size_t ldl,
                            double* b, std::size_t ldb);
void solve_right_transposed(std::size_t m, std::size_t n, const float* l, std::size_t ldl, float* b,
                            std::size_t ldb);

[[nodiscard]] double dot(std::size_t n, const double* x, const double* y);

// y += alpha * x
void axpy(std::size_t n, double alpha, const double* x, double* y);

// Multiply-adds of the matrix products asked for so far, by all threads: what benchmarks divide by
// a time. Single precision, at twice the rate, counts half. Products of fewer than 1e5 are left
// out, so that counting costs nothing.
[[nodiscard]] double counted_multiply_adds();

// Name, version and the kernel chosen for this CPU.
[[nodiscard]] std::string description();

}  // namespace fsieve::blas
