// Preloaded library (LD_PRELOAD) that moves the wall clock ahead by FAKED_CLOCK_AHEAD seconds. Monotonic
// clocks are unchanged.
// libfaketime is unsuitable: it also shifts the absolute times of timerfd_settime, so that libdispatch's
// timers never fire and a sweep stops renewing its leases.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *told) {
  if (syscall(SYS_clock_gettime, clock, told) != 0) return -1;
  const char *ahead = getenv("FAKED_CLOCK_AHEAD");
  if (ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) told->tv_sec += atol(ahead);
  return 0;
}

int gettimeofday(struct timeval *restrict told, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  *told = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *told) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (told) *told = precise.tv_sec;
  return precise.tv_sec;
}
