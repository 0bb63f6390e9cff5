// Preloaded, this tells ThreadSanitizer of two orders that Swift's libraries keep and that it cannot see on Linux. No report is
// suppressed. Of programs of ten lines, one whose threads share by two contended mutexes, and one whose tasks wait for
// continuations, are reported twice in each run without this and never with it; one that writes past its mutex is reported in
// every run with it, at -Onone and at -O.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void tell(const char *tool, void *place) {
  void (*order)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, tool);
  if (order) order(place);
}

// A continuation that is resumed before its task has come to wait for it: the runtime tells of the resumption, and not that the
// task which finds it resumed comes after.
__attribute__((swiftasynccall)) void swift_continuation_await(void *context) {
  static __attribute__((swiftasynccall)) void (*real)(void *);
  static SWIFT void *(*task)(void);
  if (!real) {
    task = (SWIFT void *(*)(void))dlsym(RTLD_NEXT, "swift_task_getCurrent");
    real = (__attribute__((swiftasynccall)) void (*)(void *))dlsym(RTLD_NEXT, "swift_continuation_await");
  }
  tell("__tsan_acquire", task());
  __attribute__((musttail)) return real(context);
}

// Mutex of Synchronization: the atomics by which it is taken and left are seen where nobody else wants it. Where somebody does,
// the library and the kernel hand it over behind the sanitizer's back; these stand before the library's two functions.
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
