// Loaded before a program (LD_PRELOAD), it writes down in order what the program does to the files below FILE_LOG_FOLDER and
// says to its caller, into the file FILE_LOG. What a power cut leaves of them can be worked out from that.
//
// A record: kind (1 byte), length of the path (4), offset (8), length of the data (8), path, data; all little-endian.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_descriptor = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FILE_LOG");
  folder = getenv("FILE_LOG_FOLDER");
  if (path && folder) log_descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void record(char kind, const char *path, uint64_t offset, const void *data, uint64_t length) {
  uint32_t path_length = strlen(path);
  char head[21];
  head[0] = kind;
  memcpy(head + 1, &path_length, 4);
  memcpy(head + 5, &offset, 8);
  memcpy(head + 13, &length, 8);
  struct iovec parts[] = {{head, sizeof head}, {(void *)path, path_length}, {(void *)data, length}};
  if (syscall(SYS_writev, log_descriptor, parts, data ? 3 : 2) < 0) abort();
}

static int is_watched(const char *path) {
  size_t length = strlen(folder);
  return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

/// The path of an open file of the folder; 0 for others.
static int path_of(int descriptor, char path[4096]) {
  if (log_descriptor < 0) return 0;
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(name, path, 4095);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_watched(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(int descriptor, int is_new, int flags) {
  char path[4096];
  if (descriptor >= 0 && path_of(descriptor, path)) {
    if (is_new) record('c', path, 0, 0, 0);
    if (flags & O_TRUNC) record('t', path, 0, 0, 0);
  }
  return descriptor;
}

static int logged_open(const char *path, int flags, mode_t mode) {
  pthread_mutex_lock(&lock);
  int is_new = (flags & O_CREAT) && log_descriptor >= 0 && access(path, F_OK);
  int descriptor = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  opened(descriptor, is_new, flags);
  pthread_mutex_unlock(&lock);
  return descriptor;
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return logged_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return logged_open(path, flags, mode);
}

static ssize_t written(int descriptor, const void *data, ssize_t count, off64_t offset) {
  char path[4096];
  if (count <= 0 || log_descriptor < 0) return count;
  if (path_of(descriptor, path)) record('w', path, offset, data, count);
  else if (descriptor == 1 || descriptor == 2) record('s', "", 0, data, count);
  return count;
}

ssize_t write(int descriptor, const void *data, size_t count) {
  pthread_mutex_lock(&lock);
  off64_t offset = lseek64(descriptor, 0, SEEK_CUR);
  ssize_t done = syscall(SYS_write, descriptor, data, count);
  written(descriptor, data, done, offset);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t pwrite64(int descriptor, const void *data, size_t count, off64_t offset) {
  pthread_mutex_lock(&lock);
  ssize_t done = syscall(SYS_pwrite64, descriptor, data, count, offset);
  written(descriptor, data, done, offset);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset) {
  return pwrite64(descriptor, data, count, offset);
}

#define LOGGED(kind, call, offset)                              \
  char path[4096];                                              \
  pthread_mutex_lock(&lock);                                    \
  int code = call;                                              \
  if (!code && path_of(descriptor, path)) record(kind, path, offset, 0, 0); \
  pthread_mutex_unlock(&lock);                                  \
  return code

int ftruncate64(int descriptor, off64_t length) { LOGGED('t', syscall(SYS_ftruncate, descriptor, length), length); }
int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }
int fsync(int descriptor) { LOGGED('f', syscall(SYS_fsync, descriptor), 0); }
int fdatasync(int descriptor) { LOGGED('f', syscall(SYS_fdatasync, descriptor), 0); }

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  int code = NEXT(unlink)(path);
  if (!code && log_descriptor >= 0 && is_watched(path)) record('u', path, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return code;
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&lock);
  int code = NEXT(rename)(from, to);
  if (!code && log_descriptor >= 0 && is_watched(to)) record('r', from, 0, to, strlen(to));
  pthread_mutex_unlock(&lock);
  return code;
}
