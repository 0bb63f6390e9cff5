// Writes to standard error would garble the screen, and Swift's crash messages would be erased with it. While
// the screen is in use, they go to a file in memory, which is replayed when the terminal is restored.
#include "State.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int real_error = -1;
static int kept = -1;

void standard_error_capture(void) {
  // A redirected standard error does not affect the screen.
  if (real_error >= 0 || !isatty(STDERR_FILENO)) return;
  kept = memfd_create("subtop-stderr", MFD_CLOEXEC);
  if (kept < 0) return;
  real_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (real_error < 0 || dup2(kept, STDERR_FILENO) < 0) {
    if (real_error >= 0) close(real_error);
    close(kept);
    real_error = kept = -1;
  }
}

// Async-signal-safe.
void standard_error_release(void) {
  if (real_error < 0) return;
  int from = kept;
  int to = real_error;
  real_error = kept = -1;
  dup2(to, STDERR_FILENO);
  char block[4096];
  off_t at = 0;
  for (;;) {
    ssize_t count = pread(from, block, sizeof block, at);
    if (count <= 0) break;
    if (write(STDERR_FILENO, block, (size_t)count) < count) break;
    at += count;
  }
  close(from);
  close(to);
}
