// Preloaded library that reports happens-before edges to ThreadSanitizer for reference counts, continuations
// and contended mutexes of Swift's libraries, which are not built with the sanitizer. No report is
// suppressed.
//
// Verified with small programs, built with Swift 6.3 for x86-64 and the sanitizer.
// False reports that disappear in every run:
//   - one thread reads copies of a dictionary from a Mutex while another changes the dictionary in place;
//     also arrays of arrays, and generic collections of structs with strings (-O, three runs; with -Onone the
//     collections' code is the library's and is never reported);
//   - a task waits 100,000 times for continuations that a queue resumes before, while and after it begins to
//     wait (-O);
//   - four threads share two variables through two contended mutexes (-O and -Onone, three runs).
// Real races that are still reported (-O and -Onone, two runs or more):
//   - two threads write a property of one object;
//   - one thread reads an array of an object while another changes it;
//   - two threads take objects from a Mutex and change them and their arrays outside.
// A race between two uses of a contended mutex is reported in nearly every run, but not in all: the
// mutex may order the threads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

static void (*tsan_acquire)(void *), (*tsan_release)(void *);

static void begins_after(void *place) {
  if (tsan_acquire) tsan_acquire(place);
}

static void ends_before(void *place) {
  if (tsan_release) tsan_release(place);
}

// Mutex of Synchronization: the sanitizer sees the atomics of an uncontended lock. A contended lock is passed
// on by the library and the kernel, which it does not see. These wrappers interpose the two slow paths.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF void *mutex) {
  static SWIFT void (*real)(uint32_t, SELF void *);
  if (!real) real = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
  real(thread, mutex);
  begins_after(mutex);
}

SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock(SELF void *mutex) {
  static SWIFT void (*real)(SELF void *);
  if (!real) real = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
  ends_before(mutex);
  real(mutex);
}

// Continuations: the runtime reports that a resumption precedes its task, but reports that the task follows
// only if it is enqueued, not if it is already resumed when it begins to wait. So the resume function is
// replaced by one that always reports it.
typedef ASYNC void Resume(CONTEXT void *);

// Prefix of swift::AsyncContext.
struct AsyncContext {
  struct AsyncContext *parent;
  Resume *resume;
};

enum { waits_at_once = 16384, tries = 64 };
static struct {
  _Atomic(struct AsyncContext *) context;
  Resume *resume;
} waits[waits_at_once];

static unsigned wait_number(const struct AsyncContext *context, unsigned try) {
  return (((unsigned)((uintptr_t)context >> 4) * 2654435761u >> 16) + try) % waits_at_once;
}

static ASYNC void resumed(CONTEXT void *argument) {
  static SWIFT void *(*current_task)(void);
  if (!current_task) current_task = (SWIFT void *(*)(void))dlsym(RTLD_DEFAULT, "swift_task_getCurrent");
  begins_after(current_task());
  struct AsyncContext *context = argument;
  for (unsigned try = 0; try < tries; try += 1) {
    unsigned number = wait_number(context, try);
    if (atomic_load(&waits[number].context) != context) continue;
    context->resume = waits[number].resume;
    atomic_store(&waits[number].context, NULL);
    break;
  }
  __attribute__((musttail)) return context->resume(argument);
}

SWIFT void *swift_continuation_init(void *argument, size_t flags) {
  static SWIFT void *(*real)(void *, size_t);
  if (!real) real = (SWIFT void *(*)(void *, size_t))dlsym(RTLD_NEXT, "swift_continuation_init");
  struct AsyncContext *context = argument;
  for (unsigned try = 0; try < tries; try += 1) {
    unsigned number = wait_number(context, try);
    struct AsyncContext *found = NULL;
    // An entry of the same context remains if an earlier continuation was never resumed.
    if (!atomic_compare_exchange_strong(&waits[number].context, &found, context) && found != context) continue;
    waits[number].resume = context->resume;
    context->resume = resumed;
    break;
  }
  return real(argument, flags);
}

// Reference counts: all use of an object by a thread precedes its release. A thread that releases the last
// reference, or finds its reference unique, follows all releases: it may deinitialize the object, or change a
// collection's storage in place.
static size_t (*retain_count)(void *object);
static void (*release_one)(void *object);
static void (*release_many)(void *object, uint32_t count);

// Address of the word with the count. The first word is used by the runtime's own annotations.
static void *count_word(void *object) { return (void *)(((uintptr_t)object & 0x00fffffffffffff8) + 8); }

// Serializes concurrent releases of an object, so that one of the last two sees the other's.
static _Atomic bool in_use[256];
static __thread unsigned depth;

static void give_up(void *object, uint32_t count) {
  if ((intptr_t)object <= 0) return;  // not an object
  // Nested releases of a thread skip the lock, to avoid deadlock.
  _Atomic bool *mine = depth == 0 ? &in_use[((uintptr_t)object >> 4) % 256] : NULL;
  if (mine) {
    while (atomic_exchange_explicit(mine, true, memory_order_acquire)) sched_yield();
  }
  bool last = retain_count(object) <= count;
  if (last) {
    if (mine) atomic_store_explicit(mine, false, memory_order_release);
    begins_after(count_word(object));
  } else {
    depth += 1;
    ends_before(count_word(object));
  }
  if (count == 1) {
    release_one(object);
  } else {
    release_many(object, count);
  }
  if (!last) {
    depth -= 1;
    if (mine) atomic_store_explicit(mine, false, memory_order_release);
  }
}

static void give_up_one(void *object) { give_up(object, 1); }

#define BEGINS_WHERE_UNIQUE(name)                                \
  bool name(void *object) {                                      \
    static bool (*real)(void *);                                 \
    if (!real) real = (bool (*)(void *))dlsym(RTLD_NEXT, #name); \
    bool unique = real(object);                                  \
    if (unique) begins_after(count_word(object));                \
    return unique;                                               \
  }
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferenced)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferencedNonObjC)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull_bridgeObject)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferenced_native)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferenced_nonNull)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferenced_nonNull_bridgeObject)
BEGINS_WHERE_UNIQUE(swift_isUniquelyReferenced_nonNull_native)

// Overwrites the start of a library function with a jump. Interposing the symbol would only affect calls from
// other libraries, but most releases come from the runtime library itself.
static void put_before(const char *name, void *replacement) {
#if defined(__x86_64__)
  unsigned char jump[14] = {0xff, 0x25};  // jmp *0(%rip)
  memcpy(jump + 6, &replacement, 8);
#elif defined(__aarch64__)
  uint32_t jump[4] = {0x58000050, 0xd61f0200};  // ldr x16, .+8; br x16
  memcpy(jump + 2, &replacement, 8);
#else
#error "write the jump of this processor"
#endif
  char *function = dlsym(RTLD_DEFAULT, name);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)function & -page, end = ((uintptr_t)function + sizeof jump + page - 1) & -page;
  if (!function || mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    fprintf(stderr, "swift-order: cannot stand before %s\n", name);
    exit(1);
  }
  memcpy(function, jump, sizeof jump);
  mprotect((void *)start, end - start, PROT_READ | PROT_EXEC);
  __builtin___clear_cache(function, function + sizeof jump);
}

// Programs without the sanitizer, which tests also start, are unchanged.
__attribute__((constructor)) static void begin(void) {
  tsan_acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  tsan_release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
  if (!tsan_acquire || !tsan_release) return;
  // The runtime calls its own functions through these pointers, which may be replaced.
  void (**one)(void *) = (void (**)(void *))dlsym(RTLD_DEFAULT, "_swift_release");
  void (**many)(void *, uint32_t) = (void (**)(void *, uint32_t))dlsym(RTLD_DEFAULT, "_swift_release_n");
  retain_count = (size_t (*)(void *))dlsym(RTLD_DEFAULT, "swift_retainCount");
  if (!one || !many || !retain_count) return;
  release_one = *one;
  release_many = *many;
  put_before("swift_release", give_up_one);
  put_before("swift_release_n", give_up);
}
