// Makes the Nth file call of a process go wrong, from outside of it: LD_PRELOAD.
//
//   cc -shared -fPIC -o fault-shim.so fault-shim.c
//   FAULT_PATH=/some/folder/ FAULT_AT=3 FAULT_DO=EIO LD_PRELOAD=./fault-shim.so program
//
// FAULT_PATH  only calls whose path, or whose descriptor's path, contains this are counted
// FAULT_AT    N: the Nth of them; N+: the Nth and all after it
// FAULT_DO    an errno, as a number: the call is not made and fails with it
//             short:      half of the bytes are read or written
//             kill:       SIGKILL instead of the call;  after-kill: right after it
//             lie:        the call is not made and succeeds
//             nothing:    all is well, only FAULT_LOG is written
// FAULT_LOG   a file that gets one line, the name of the call, for each call that was meant
//
// These are the calls that the library under test makes. `flock`, `fsync` and so on are what the C
// library calls them; a program that makes system calls by itself is not reached.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOTHING, FAIL, SHORTEN, KILL, KILL_AFTER, LIE };
static atomic_int counted;

static int path_of(int descriptor, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
  return length > 0;
}

// What is to happen to this call. `directory` is a descriptor, `name` a path below it or null.
static int due(const char *call, int directory, const char *name) {
  const char *wanted = getenv("FAULT_PATH"), *at = getenv("FAULT_AT"), *what = getenv("FAULT_DO");
  if (!wanted || !at || !what) return NOTHING;
  char path[2 * PATH_MAX] = "";
  if (!name || name[0] != '/') {
    path_of(directory, path);
    strcat(path, "/");
  }
  if (name) strncat(path, name, PATH_MAX - 1);
  if (!strstr(path, wanted)) return NOTHING;

  int here = atomic_fetch_add(&counted, 1) + 1;
  if (here < atoi(at) || (here > atoi(at) && !strchr(at, '+'))) return NOTHING;
  const char *log = getenv("FAULT_LOG");
  int file = log ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (file >= 0) {
    syscall(SYS_write, file, call, strlen(call));
    syscall(SYS_write, file, "\n", 1);
    syscall(SYS_close, file);
  }
  if (!strcmp(what, "short")) return SHORTEN;
  if (!strcmp(what, "lie")) return LIE;
  if (!strcmp(what, "nothing")) return NOTHING;
  if (!strcmp(what, "after-kill")) return KILL_AFTER;
  if (!strcmp(what, "kill")) syscall(SYS_kill, getpid(), SIGKILL);
  errno = atoi(what);
  return FAIL;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// `lied` is what a lie answers; calls about which nothing can be made up are made.
#define ANSWER(call, directory, name, lied, make) \
  int fault = due(call, directory, name); \
  if (fault == FAIL) return -1; \
  if (fault == LIE && (lied) >= 0) return (lied); \
  __typeof__(make) result = (make); \
  if (fault == KILL_AFTER) syscall(SYS_kill, getpid(), SIGKILL); \
  return result

static size_t half(size_t count) { return count > 1 ? count / 2 : count; }

#define OPEN(function) \
  int function(int directory, const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    REAL(function); \
    ANSWER("openat", directory, path, -1, real(directory, path, flags, mode)); \
  }
OPEN(openat)
OPEN(openat64)

#define STATUS(function, type) \
  int function(int descriptor, type *status) { \
    REAL(function); \
    ANSWER("fstat", descriptor, 0, -1, real(descriptor, status)); \
  }
STATUS(fstat, struct stat)
STATUS(fstat64, struct stat64)

#define STATUS_AT(function, type) \
  int function(int directory, const char *path, type *status, int flags) { \
    REAL(function); \
    ANSWER("fstatat", directory, path, -1, real(directory, path, status, flags)); \
  }
STATUS_AT(fstatat, struct stat)
STATUS_AT(fstatat64, struct stat64)

ssize_t read(int descriptor, void *bytes, size_t count) {
  REAL(read);
  int fault = due("read", descriptor, 0);
  if (fault == FAIL) return -1;
  if (fault == LIE) return 0;
  ssize_t result = real(descriptor, bytes, fault == SHORTEN ? half(count) : count);
  if (fault == KILL_AFTER) syscall(SYS_kill, getpid(), SIGKILL);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(write);
  int fault = due("write", descriptor, 0);
  if (fault == FAIL) return -1;
  if (fault == LIE) return count;
  ssize_t result = real(descriptor, bytes, fault == SHORTEN ? half(count) : count);
  if (fault == KILL_AFTER) syscall(SYS_kill, getpid(), SIGKILL);
  return result;
}

// The descriptor is gone whatever close says, so a failure is one after the fact.
int close(int descriptor) {
  REAL(close);
  int fault = due("close", descriptor, 0), code = errno, result = real(descriptor);
  if (fault == KILL_AFTER) syscall(SYS_kill, getpid(), SIGKILL);
  if (fault != FAIL) return result;
  errno = code;
  return -1;
}

ssize_t readlinkat(int directory, const char *path, char *target, size_t size) {
  REAL(readlinkat);
  ANSWER("readlinkat", directory, path, -1, real(directory, path, target, size));
}
int faccessat(int directory, const char *path, int mode, int flags) {
  REAL(faccessat);
  ANSWER("faccessat", directory, path, 0, real(directory, path, mode, flags));
}
int fsync(int descriptor) {
  REAL(fsync);
  ANSWER("fsync", descriptor, 0, 0, real(descriptor));
}
int fchmod(int descriptor, mode_t mode) {
  REAL(fchmod);
  ANSWER("fchmod", descriptor, 0, 0, real(descriptor, mode));
}
int fchmodat(int directory, const char *path, mode_t mode, int flags) {
  REAL(fchmodat);
  ANSWER("fchmodat", directory, path, 0, real(directory, path, mode, flags));
}
int fchown(int descriptor, uid_t owner, gid_t group) {
  REAL(fchown);
  ANSWER("fchown", descriptor, 0, 0, real(descriptor, owner, group));
}
int flock(int descriptor, int operation);
int flock(int descriptor, int operation) {
  REAL(flock);
  ANSWER("flock", descriptor, 0, 0, real(descriptor, operation));
}
int mkdirat(int directory, const char *path, mode_t mode) {
  REAL(mkdirat);
  ANSWER("mkdirat", directory, path, 0, real(directory, path, mode));
}
int renameat(int directory, const char *from, int other, const char *to) {
  REAL(renameat);
  ANSWER("renameat", directory, from, 0, real(directory, from, other, to));
}
int linkat(int directory, const char *from, int other, const char *to, int flags) {
  REAL(linkat);
  ANSWER("linkat", directory, from, 0, real(directory, from, other, to, flags));
}
int unlinkat(int directory, const char *path, int flags) {
  REAL(unlinkat);
  ANSWER("unlinkat", directory, path, 0, real(directory, path, flags));
}
