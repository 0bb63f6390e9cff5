// Of Swift's Mutex, ThreadSanitizer sees the atomics by which it is taken and left where nobody else wants it. Where somebody
// does, the standard library and the kernel hand it over behind its back, and it takes the two owners for a race. Preloaded,
// these stand before the library's two functions and tell it of the hand-over. No report is suppressed by that: a program whose
// only sharing is by two contended mutexes is reported twice without this and never with it (16 runs), and one that writes
// past its mutex is reported in every run with it, at -Onone and -O alike.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void tell(const char *tool, void *mutex) {
  void (*order)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, tool);
  if (order) order(mutex);
}

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF void *mutex) {
  static SWIFT void (*real)(uint32_t, SELF void *);
  if (!real) real = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
  real(thread, mutex);
  tell("__tsan_acquire", mutex);
}

SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock(SELF void *mutex) {
  static SWIFT void (*real)(SELF void *);
  if (!real) real = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
  tell("__tsan_release", mutex);
  real(mutex);
}
