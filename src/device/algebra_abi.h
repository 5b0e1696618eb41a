/* What a library offers that multiplies matrices on a device, in C, so that any compiler can make
 * one: libfsieve_cuda.so does, and so does the stand-in of the tests. Column-major doubles. Work is
 * done in the order of the calls, which may return before it is done. Every function that can fail
 * says why in `message`, one sentence of at most `size` bytes, and returns null or a number below
 * 0. */
#ifndef FSIEVE_DEVICE_ALGEBRA_ABI_H
#define FSIEVE_DEVICE_ALGEBRA_ABI_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers) */

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix within an array of the device. */
struct fsieve_place {
  void* array;
  uint64_t offset; /* of its first number */
  uint64_t stride; /* from column to column */
};

void* fsieve_algebra_open(int device, char* message, size_t size);
void fsieve_algebra_close(void* algebra);

/* How many numbers can be taken, about. */
uint64_t fsieve_algebra_room(void* algebra);
void* fsieve_algebra_take(void* algebra, uint64_t count, char* message, size_t size);
void fsieve_algebra_give(void* algebra, void* array);

/* `from` may be changed when the call returns. */
int fsieve_algebra_put(void* algebra, const double* from, uint64_t from_stride, uint64_t rows,
                       uint64_t columns, const struct fsieve_place* to, char* message, size_t size);
/* Waits for all that was asked for. */
int fsieve_algebra_get(void* algebra, const struct fsieve_place* from, uint64_t rows,
                       uint64_t columns, double* to, uint64_t to_stride, char* message,
                       size_t size);
int fsieve_algebra_copy(void* algebra, const struct fsieve_place* from, uint64_t rows,
                        uint64_t columns, const struct fsieve_place* to, char* message,
                        size_t size);

/* Column f of `values`: the product of the columns named by factors[f * most] and those after it;
 * UINT32_MAX names none. */
int fsieve_algebra_evaluate(void* algebra, const uint32_t* factors, uint64_t count, uint64_t most,
                            const struct fsieve_place* columns, uint64_t rows,
                            const struct fsieve_place* values, char* message, size_t size);

/* C = alpha op(A) op(B) + beta C, with C of m x n and an inner length of k; op transposes where it
 * is not 0. Where beta is 0, C may hold anything before. */
int fsieve_algebra_gemm(void* algebra, int a_op, int b_op, uint64_t m, uint64_t n, uint64_t k,
                        double alpha, const struct fsieve_place* a, const struct fsieve_place* b,
                        double beta, const struct fsieve_place* c, char* message, size_t size);
/* The lower triangle of C = alpha op(A) op(A)^T + beta C, with C of n x n; the upper one holds
 * anything afterwards. */
int fsieve_algebra_syrk(void* algebra, int op, uint64_t n, uint64_t k, double alpha,
                        const struct fsieve_place* a, double beta, const struct fsieve_place* c,
                        char* message, size_t size);
/* B = L^-1 B with L lower triangular of m x m, or, on the right, B = B L^-T with L of n x n. */
int fsieve_algebra_solve(void* algebra, int right, uint64_t m, uint64_t n,
                         const struct fsieve_place* l, const struct fsieve_place* b, char* message,
                         size_t size);

/* Entries (i, j) of m x n matrices with i < j + first. */
struct fsieve_above {
  uint64_t m, n;
  int64_t first;
};
struct fsieve_entry {
  uint32_t row, column;
  double value;
};
/* to = the sum over y of inner_y^2 over norms, or over 1e-300 where that is less; inner_y begins
 * y n columns after the first. */
int fsieve_algebra_shares(void* algebra, const struct fsieve_above* entries, uint64_t labels,
                          const struct fsieve_place* inner, const struct fsieve_place* norms,
                          const struct fsieve_place* to, char* message, size_t size);
/* How many entries of a + b + row_terms[i] + column_terms[j] are `least` or more; b may be null.
 * The first `room` of them, in any order, are written to `found`. Waits. */
int64_t fsieve_algebra_find(void* algebra, const struct fsieve_above* entries,
                            const struct fsieve_place* a, const struct fsieve_place* b,
                            const struct fsieve_place* row_terms,
                            const struct fsieve_place* column_terms, double least, uint64_t room,
                            struct fsieve_entry* found, char* message, size_t size);

/* Waits until all that was asked for before the last such call is done. */
int fsieve_algebra_keep_pace(void* algebra, char* message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
