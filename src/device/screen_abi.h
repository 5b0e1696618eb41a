/* What a library that screens subsets on a device offers, in C, so that any compiler can make one:
 * libfsieve_cuda.so does, and so does the stand-in of the tests. Every function that can fail says
 * why in `message`, one sentence of at most `size` bytes. */
#ifndef FSIEVE_DEVICE_SCREEN_ABI_H
#define FSIEVE_DEVICE_SCREEN_ABI_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers) */

/* Of this header and of algebra_abi.h: a library of another version is refused. */
#define FSIEVE_SCREEN_VERSION 3

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked. The sum of a subset goes over its 2^k cells; a cell has `rows` rows, of which
 * those of the second class are `lead` more than those of the first (or fewer: below zero). */
enum fsieve_screen_sum {
  fsieve_sum_of_leads = 0,   /* max(|lead|, 1) */
  fsieve_sum_of_products = 1 /* weight * (max(|lead|, 1) * (rows - 1) + 1), 0 where there is no row;
                                weight: the product of set or clear over the features */
};

/* Two-valued features as bits, rows in the order of their class. */
struct fsieve_screen_table {
  uint32_t k; /* features of a subset: 2 to 6 */
  uint32_t sum;
  uint64_t features;
  uint64_t words;       /* of 64 bits, of one feature */
  const uint64_t* bits; /* feature after feature; bits that are no row are 0 */
  uint64_t first[2];    /* per class: where its words begin */
  uint64_t length[2];   /* how many words it has */
  uint64_t rows[2];     /* how many rows */
  const float* set;     /* per feature; of fsieve_sum_of_products */
  const float* clear;
};

int fsieve_screen_version(void);

/* How many devices there are; below 0: none can be used. */
int fsieve_screen_devices(char* message, size_t size);

/* Takes the table over (it need not outlive the call). At most `room` subsets are found in one go.
 * Null where it fails. */
void* fsieve_screen_open(int device, const struct fsieve_screen_table* table, uint64_t room,
                         char* message, size_t size);
void fsieve_screen_close(void* screen);

/* Begins to look for the subsets with numbers (colexicographic) from `first` to `end` - 1 whose sum
 * is `least` or more, and returns at once. Below 0: it failed. */
int fsieve_screen_begin(void* screen, uint64_t first, uint64_t end, float least, char* message,
                        size_t size);

/* Waits for what was begun. Writes the k ascending features of every subset found, in any order and
 * perhaps with others of numbers close to the range, and, unless null, their sums. Returns how many
 * there are, which may be more than the room: only so many are written then. Below 0: it failed. */
int64_t fsieve_screen_end(void* screen, uint32_t* found, float* sums, char* message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
