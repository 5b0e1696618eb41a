// Loaded before the C library (LD_PRELOAD), it makes chosen calls of a program fail, and tells
// which were made.
//
//   FSIEVE_FAULT=KIND:N:HOW   the N-th call of this kind, counted from 1
//     KIND  write, fsync, rename, link, copy (sendfile and copy_file_range, which copy a file where
//           links fail), open, close (of files opened for writing), or allocate
//     HOW   an errno; "short": a write or copy of half the bytes; "interrupt": the call is made,
//     and
//           Ctrl-C comes just before it
//     3+ is the third call and all after it
//     Several are separated by commas: link:1+:1,copy:2:28
//   FSIEVE_FAULT_SEEN=FD      one byte is written there when the call (of several: the last) is
//                             reached
//   FSIEVE_FAULT_LOG=FD       a line is written there for each call but allocations, before it is
//                             made or fails: its kind and the files it is about
//
// Allocations are counted from the first file that the program opens for writing: what goes before
// cannot touch an output. Standard error always works, so that the program can say what happened.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum Kind { NONE, WRITE, FSYNC, RENAME, LINK, COPY, OPEN, CLOSE, ALLOCATE };
static const char* const kNames[] = {"",     "write", "fsync", "rename",  "link",
                                     "copy", "open",  "close", "allocate"};

struct Fault {
  enum Kind kind;
  long nth;
  bool and_all_after;
  bool is_short;
  bool is_interrupt;
  int error;
  atomic_long count;
};

enum Outcome { MADE, FAILS, IS_SHORT };

static struct Fault faults[8];
static size_t number_of_faults;
static bool allocations_fail;
static int seen = -1;
static int told = -1;
static atomic_bool writing;          // a file has been opened for writing
static atomic_bool is_output[1024];  // by descriptor

static bool is_word(const char* text, size_t length, const char* word) {
  return strlen(word) == length && strncmp(word, text, length) == 0;
}

static void read_fault(const char* text, struct Fault* fault) {
  const size_t length = strcspn(text, ":");
  for (enum Kind k = WRITE; k <= ALLOCATE; ++k) {
    if (is_word(text, length, kNames[k])) fault->kind = k;
  }
  char* end = NULL;
  fault->nth = strtol(text + length + 1, &end, 10);
  fault->and_all_after = *end == '+';
  if (fault->and_all_after) ++end;
  const size_t rest = strcspn(++end, ",");
  fault->is_short = is_word(end, rest, "short");
  fault->is_interrupt = is_word(end, rest, "interrupt");
  fault->error = atoi(end);
}

static int descriptor_from(const char* variable) {
  const char* text = getenv(variable);
  return text == NULL ? -1 : atoi(text);
}

__attribute__((constructor)) static void read_environment(void) {
  seen = descriptor_from("FSIEVE_FAULT_SEEN");
  told = descriptor_from("FSIEVE_FAULT_LOG");
  const char* text = getenv("FSIEVE_FAULT");
  while (text != NULL && number_of_faults < sizeof(faults) / sizeof(faults[0])) {
    struct Fault* fault = &faults[number_of_faults++];
    read_fault(text, fault);
    if (fault->kind == ALLOCATE) allocations_fail = true;
    text = strchr(text, ',');
    if (text != NULL) ++text;
  }
}

static void tell(enum Kind called, const char* first, const char* second) {
  if (told < 0) return;
  char line[2 * PATH_MAX + 16];
  const int size = snprintf(line, sizeof(line), "%s %s%s%s\n", kNames[called], first,
                            second == NULL ? "" : " ", second == NULL ? "" : second);
  syscall(SYS_write, told, line, (size_t)size);
}

// The file behind a descriptor.
static void tell_of(enum Kind called, int descriptor) {
  if (told < 0) return;
  char link[64];
  char name[PATH_MAX];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, name, sizeof(name) - 1);
  name[size > 0 ? size : 0] = 0;
  tell(called, name, NULL);
}

static bool strikes(struct Fault* fault, enum Kind called) {
  if (called != fault->kind) return false;
  const long now = atomic_fetch_add(&fault->count, 1) + 1;
  return now == fault->nth || (fault->and_all_after && now > fault->nth);
}

static enum Outcome outcome(enum Kind called) {
  enum Outcome how = MADE;
  for (size_t i = 0; i < number_of_faults; ++i) {
    struct Fault* fault = &faults[i];
    if (!strikes(fault, called)) continue;
    if (seen >= 0 && i + 1 == number_of_faults) syscall(SYS_write, seen, "!", 1);
    if (fault->is_interrupt) {
      raise(SIGINT);
    } else {
      how = fault->is_short ? IS_SHORT : FAILS;
      errno = fault->error;
    }
  }
  return how;
}

static bool fails(enum Kind called) { return outcome(called) == FAILS; }

ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (descriptor != STDERR_FILENO) {
    tell_of(WRITE, descriptor);
    const enum Outcome how = outcome(WRITE);
    if (how == FAILS) return -1;
    if (how == IS_SHORT) size = (size + 1) / 2;
  }
  return syscall(SYS_write, descriptor, bytes, size);
}

int fsync(int descriptor) {
  tell_of(FSYNC, descriptor);
  return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int rename(const char* from, const char* to) {
  tell(RENAME, from, to);
  return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char* from, const char* to) {
  tell(LINK, from, to);
  return fails(LINK) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

// How many of the bytes are copied; none where the call fails.
static size_t copied(int to, size_t size) {
  tell_of(COPY, to);
  const enum Outcome how = outcome(COPY);
  if (how == FAILS) return 0;
  return how == IS_SHORT ? (size + 1) / 2 : size;
}

// With the headers' own 64-bit names both would be one function.
ssize_t sendfile(int to, int from, off_t* begin, size_t size) {
  const size_t some = copied(to, size);
  return some == 0 && size > 0 ? -1 : syscall(SYS_sendfile, to, from, begin, some);
}

ssize_t sendfile64(int to, int from, off_t* begin, size_t size) {
  return sendfile(to, from, begin, size);
}

ssize_t copy_file_range(int from, off_t* begin, int to, off_t* begin_there, size_t size,
                        unsigned flags) {
  const size_t some = copied(to, size);
  if (some == 0 && size > 0) return -1;
  return syscall(SYS_copy_file_range, from, begin, to, begin_there, some, flags);
}

static int open_file(const char* path, int flags, mode_t mode) {
  const bool output = (flags & O_ACCMODE) != O_RDONLY;
  tell(OPEN, path, output ? "(to write)" : NULL);
  if (fails(OPEN)) return -1;
  if (output) atomic_store(&writing, true);
  const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (descriptor >= 0 && descriptor < 1024) atomic_store(&is_output[descriptor], output);
  return descriptor;
}

static mode_t mode_argument(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_argument(flags, more);
  va_end(more);
  return open_file(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_argument(flags, more);
  va_end(more);
  return open_file(path, flags | O_LARGEFILE, mode);
}

// The descriptor is closed all the same, as Linux does when it reports an error.
int close(int descriptor) {
  const bool output =
      descriptor >= 0 && descriptor < 1024 && atomic_exchange(&is_output[descriptor], false);
  if (output) tell_of(CLOSE, descriptor);
  const int result = (int)syscall(SYS_close, descriptor);
  return output && fails(CLOSE) ? -1 : result;
}

static bool no_memory(void) { return allocations_fail && atomic_load(&writing) && fails(ALLOCATE); }

// glibc's own names: looking up the real ones would allocate.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return no_memory() ? NULL : __libc_malloc(size); }

void* calloc(size_t number, size_t size) {
  return no_memory() ? NULL : __libc_calloc(number, size);
}

void* realloc(void* old, size_t size) { return no_memory() ? NULL : __libc_realloc(old, size); }

void* aligned_alloc(size_t alignment, size_t size) {
  return no_memory() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  if (no_memory()) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}
