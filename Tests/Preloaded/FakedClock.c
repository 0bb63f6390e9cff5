// Loaded before a program (LD_PRELOAD), it moves the date that the program is told by FAKED_CLOCK_AHEAD seconds; what measures
// spans stays as it is. libfaketime takes every absolute time of timerfd_settime for a date, so that none of libdispatch's timers
// fires: a sweep shows no sign of life, and stands still once its leases are out.
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
