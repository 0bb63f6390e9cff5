// Preloaded, this tells ThreadSanitizer of three orders that Swift's libraries keep and that it cannot see, since they are not
// built for it: those of reference counts, of continuations and of contended mutexes. No report is suppressed.
//
// What shows it are programs of ten lines, built for the sanitizer with Swift 6.3 for x86-64.
// Reported without this, and in no run with it:
//   - one thread reads copies of a dictionary from a Mutex while another changes the dictionary in place; the same with arrays of
//     arrays, and with generic collections of structs with strings (at -O, in each of three runs; at -Onone the collections' own
//     code is the library's, and nothing is reported either way);
//   - a task waits a hundred thousand times for continuations that a queue resumes: before it waits, while it comes to wait, and
//     after (at -O);
//   - four threads share two variables by two contended mutexes (at -O and at -Onone, in each of three runs).
// Reported with this as without it, at -O and at -Onone, in each of two runs and more:
//   - two threads write a property of one object;
//   - an array of one object is read by one thread and changed by another;
//   - two threads take objects from a Mutex, keep them, and change them and their arrays outside.
// One that adds to a property between two uses of a contended mutex is reported in nearly every run, since that mutex may order
// the two threads by chance.
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

// What follows comes after everything that ended before the same place.
static void begins_after(void *place) {
  if (tsan_acquire) tsan_acquire(place);
}

static void ends_before(void *place) {
  if (tsan_release) tsan_release(place);
}

// Mutex of Synchronization: the atomics by which it is taken and left are seen where nobody else wants it. Where somebody does,
// the library and the kernel hand it over behind the sanitizer's back; these stand before the library's two functions.
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

// Continuations: the runtime tells that a resumption ends before its task. That the task begins after it, it tells only where
// the task is put on a queue for that, and not where it finds itself resumed when it comes to wait. So the function by which a
// task goes on is exchanged for one that tells it first, in any case.
typedef ASYNC void Resume(CONTEXT void *);

// The beginning of swift::AsyncContext.
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
    // Its own is found where an earlier continuation of the same frame was never resumed.
    if (!atomic_compare_exchange_strong(&waits[number].context, &found, context) && found != context) continue;
    waits[number].resume = context->resume;
    context->resume = resumed;
    break;
  }
  return real(argument, flags);
}

// Reference counts: whatever a thread did with an object ends before it gives its reference up. Whoever gives up the last, or
// finds its own the only one, begins after that: it may destroy the object, and change a collection's storage in place.
static size_t (*retain_count)(void *object);
static void (*release_one)(void *object);
static void (*release_many)(void *object, uint32_t count);

// The word that holds the count: at the object's first the runtime tells of orders of its own.
static void *count_word(void *object) { return (void *)(((uintptr_t)object & 0x00fffffffffffff8) + 8); }

// Of two who give up an object's last two references, one has to see the other's gone, so that one comes after the other.
static _Atomic bool in_use[256];
static __thread unsigned depth;

static void give_up(void *object, uint32_t count) {
  if ((intptr_t)object <= 0) return;  // not an object
  // Not twice in a thread, which would wait for itself.
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

// Has a function of a library begin with a jump: a function of the same name would stand before other libraries' calls alone,
// and most references are given up by the library that has the function.
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

// Programs without the sanitizer, which tests start, are left alone.
__attribute__((constructor)) static void begin(void) {
  tsan_acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  tsan_release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
  if (!tsan_acquire || !tsan_release) return;
  // Where the runtime keeps its own functions for those who stand before them.
  void (**one)(void *) = (void (**)(void *))dlsym(RTLD_DEFAULT, "_swift_release");
  void (**many)(void *, uint32_t) = (void (**)(void *, uint32_t))dlsym(RTLD_DEFAULT, "_swift_release_n");
  retain_count = (size_t (*)(void *))dlsym(RTLD_DEFAULT, "swift_retainCount");
  if (!one || !many || !retain_count) return;
  release_one = *one;
  release_many = *many;
  put_before("swift_release", give_up_one);
  put_before("swift_release_n", give_up);
}
