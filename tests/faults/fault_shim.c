// Loaded before the C library (LD_PRELOAD), it makes one chosen call of a program fail.
//
//   FSIEVE_FAULT=KIND:N:HOW   the N-th call of this kind, counted from 1
//     KIND  write, fsync, rename, link, open, close (of files opened for writing), or allocate
//     HOW   an errno; "short": a write of half the bytes; "interrupt": the call is made, and Ctrl-C
//           comes just before it
//     3+ is the third call and all after it
//   FSIEVE_FAULT_SEEN=FD      one byte is written there when the call is reached
//
// Allocations are counted from the first file that the program opens for writing: what goes before
// cannot touch an output. Standard error always works, so that the program can say what happened.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum Kind { NONE, WRITE, FSYNC, RENAME, LINK, OPEN, CLOSE, ALLOCATE };
static const char* const kNames[] = {"",     "write", "fsync", "rename",
                                     "link", "open",  "close", "allocate"};

static enum Kind kind;
static long nth;
static bool and_all_after;
static bool is_short;
static bool is_interrupt;
static int error;
static int seen = -1;
static atomic_long count;
static atomic_bool writing;          // a file has been opened for writing
static atomic_bool is_output[1024];  // by descriptor

__attribute__((constructor)) static void read_environment(void) {
  const char* text = getenv("FSIEVE_FAULT");
  if (text == NULL) return;
  const char* descriptor = getenv("FSIEVE_FAULT_SEEN");
  if (descriptor != NULL) seen = atoi(descriptor);
  const size_t length = strcspn(text, ":");
  char* end = NULL;
  nth = strtol(text + length + 1, &end, 10);
  and_all_after = *end == '+';
  if (and_all_after) ++end;
  is_short = strcmp(end + 1, "short") == 0;
  is_interrupt = strcmp(end + 1, "interrupt") == 0;
  error = atoi(end + 1);
  for (enum Kind k = WRITE; k <= ALLOCATE; ++k) {
    if (strlen(kNames[k]) == length && strncmp(kNames[k], text, length) == 0) kind = k;
  }
}

static bool fails(enum Kind called) {
  if (called != kind) return false;
  const long now = atomic_fetch_add(&count, 1) + 1;
  if (now != nth && !(and_all_after && now > nth)) return false;
  if (seen >= 0) syscall(SYS_write, seen, "!", 1);
  if (is_interrupt) raise(SIGINT);
  errno = error;
  return !is_interrupt;
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (descriptor != STDERR_FILENO && fails(WRITE)) {
    if (!is_short) return -1;
    size = (size + 1) / 2;
  }
  return syscall(SYS_write, descriptor, bytes, size);
}

int fsync(int descriptor) { return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, descriptor); }

int rename(const char* from, const char* to) {
  return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char* from, const char* to) {
  return fails(LINK) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int open_file(const char* path, int flags, mode_t mode) {
  if (fails(OPEN)) return -1;
  const bool output = (flags & O_ACCMODE) != O_RDONLY;
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
  const int result = (int)syscall(SYS_close, descriptor);
  return output && fails(CLOSE) ? -1 : result;
}

static bool no_memory(void) { return kind == ALLOCATE && atomic_load(&writing) && fails(ALLOCATE); }

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
