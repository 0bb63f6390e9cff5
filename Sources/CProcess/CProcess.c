#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

const char *process_version(void) { return SUBTOP_VERSION; }

static const struct {
  int number;
  const char *name;
} crashes[] = {
  {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"},
  {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},
};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static void say(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, strlen(text));
  (void)written;
}

// Async-signal-safe. SA_RESETHAND has removed the handler, so the raised signal ends the process after this
// returns.
static void on_crash(int number) {
  say("subtop: ended by a fault of its own (");
  for (int i = 0; i < CRASHES; i++) {
    if (crashes[i].number == number) say(crashes[i].name);
  }
  say("); the store holds what was committed. Please report the command, and what the log says of it\n");
  raise(number);
}

// SIGXCPU of `ulimit -t`, repeated every second until the hard limit kills the process.
static void on_time_limit(int number) {
  (void)number;
  say("subtop: the processor time that a process may use here has run out (ulimit -t); raise it and run the command "
      "again: the store holds what was committed\n");
  _exit(1);
}

void process_say_little_of_crashes(void) {
  struct sigaction action = {0};
  action.sa_handler = on_crash;
  action.sa_flags = SA_RESETHAND | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i].number, &action, NULL);
  action.sa_handler = on_time_limit;
  sigaction(SIGXCPU, &action, NULL);
  // The runtime also prints a backtrace for Ctrl-\. A parent may have ignored SIGQUIT on purpose.
  struct sigaction quit;
  if (sigaction(SIGQUIT, NULL, &quit) == 0 && quit.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
}

void process_forbid_dumps(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // The limit does not apply to a core that is piped to a program (core(5)), but the filter does. It must be
  // written before PR_SET_DUMPABLE, after which root owns the file in /proc.
  int filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
  if (filter >= 0) {
    ssize_t written = write(filter, "0", 1);
    (void)written;
    close(filter);
  }
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static volatile sig_atomic_t passing_on = -1;

static void pass_on(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  if (passing_on >= 0) {
    ssize_t written = write((int)passing_on, &byte, 1);
    (void)written;
  }
  errno = before;
}

void process_pass_on_signal(int number, int descriptor) {
  struct sigaction action = {0};
  action.sa_handler = descriptor < 0 ? SIG_DFL : pass_on;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  passing_on = descriptor;
  sigaction(number, &action, NULL);
}
