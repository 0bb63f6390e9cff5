// Handlers put the signal's number into a pipe that the main loop polls. In a crash, they restore the
// terminal and pass the signal to the previous handler.
#include "State.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

static const int watched[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
// Signals that end a process by default. Real-time signals are added to them.
static const int named_crashes[] = {
  SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
  SIGIO, SIGPWR, SIGSTKFLT,
};
enum { WATCHED = sizeof watched / sizeof *watched, NAMED = sizeof named_crashes / sizeof *named_crashes, CRASHES = NSIG };

static struct sigaction watched_before[WATCHED];
static struct sigaction crashes_before[CRASHES];
static int crashes[CRASHES];
static int crash_count;
static int pipe_ends[2] = {-1, -1};
static volatile sig_atomic_t interrupts;
static char restore_string[512];
static size_t restore_length;

bool signals_prepare(void) {
  interrupts = 0;
  return pipe2(pipe_ends, O_NONBLOCK | O_CLOEXEC) == 0;
}

int signals_descriptor(void) { return pipe_ends[0]; }

static void on_signal(int number) {
  int before = errno;
  // Counted before the main loop can read it.
  bool is_repeated = number == SIGINT && interrupts++ > 0;
  unsigned char byte = (unsigned char)number;
  ssize_t written = write(pipe_ends[1], &byte, 1);
  (void)written;
  // If the main loop has not read the Ctrl-C before this one, it does not respond, so the process ends without it.
  if (is_repeated) {
    terminal_restore_in_emergency();
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
  }
  errno = before;
}

static void on_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  terminal_restore_in_emergency();
  for (int i = 0; i < crash_count; i++) {
    if (crashes[i] == number) sigaction(number, &crashes_before[i], NULL);
  }
  // Returning from a fault repeats it with the same registers for the previous handler. Sent signals and
  // traps are not repeated.
  bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  if (!is_fault || info->si_code <= 0) raise(number);
}

// Must precede newterm, which installs its own handlers.
void signals_remember(void) {
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i], NULL, &watched_before[i]);
  crash_count = 0;
  for (int i = 0; i < NAMED; i++) crashes[crash_count++] = named_crashes[i];
  for (int number = SIGRTMIN; number <= SIGRTMAX && crash_count < CRASHES; number++) crashes[crash_count++] = number;
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], NULL, &crashes_before[i]);
}

// Must follow newterm, whose handlers call curses inside the signal, on any thread.
void signals_install(void) {
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int i = 0; i < WATCHED; i++) {
    // nohup(1) and shells without job control ignore some signals on purpose.
    if (watched_before[i].sa_handler == SIG_IGN) continue;
    sigaction(watched[i], &action, NULL);
  }
  struct sigaction crash = {0};
  crash.sa_sigaction = on_crash;
  crash.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&crash.sa_mask);
  for (int i = 0; i < crash_count; i++) {
    if (crashes_before[i].sa_handler != SIG_IGN) sigaction(crashes[i], &crash, NULL);
  }
}

void signals_put_back(void) {
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &watched_before[i], NULL);
  for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &crashes_before[i], NULL);
  for (int i = 0; i < 2; i++) {
    if (pipe_ends[i] >= 0) close(pipe_ends[i]);
    pipe_ends[i] = -1;
  }
}

int terminal_next_signal(void) {
  unsigned char byte = 0;
  if (read(pipe_ends[0], &byte, 1) != 1) return 0;
  if (byte == SIGINT) interrupts = 0;
  return byte;
}

static void add_text(const char *text) {
  size_t length = strlen(text);
  if (restore_length + length >= sizeof restore_string) return;
  memcpy(restore_string + restore_length, text, length);
  restore_length += length;
}

// Adds a terminfo string without the padding ("$<5>") that only tputs understands.
static void add_capability(const char *name) {
  const char *text = tigetstr(name);
  if (text == NULL || text == (char *)-1) return;
  while (*text != 0 && restore_length + 1 < sizeof restore_string) {
    if (text[0] == '$' && text[1] == '<') {
      const char *end = strchr(text, '>');
      if (end != NULL) {
        text = end + 1;
        continue;
      }
    }
    restore_string[restore_length++] = *text++;
  }
}

void signals_prepare_restore_string(void) {
  restore_length = 0;
  add_text(terminal_state.has_paste ? "\033[?2004l" : "");
  // Turns off every form of mouse reports. Terminals without them ignore this.
  add_text(terminal_state.has_mouse ? "\033[?1000l\033[?1002l\033[?1003l\033[?1006l" : "");
  add_capability("rmkx");
  add_capability("sgr0");
  add_capability("cnorm");
  add_capability("rmcup");
}

void terminal_restore_in_emergency(void) {
  if (!terminal_state.is_up) return;
  terminal_state.is_up = 0;
  ssize_t written = write(terminal_state.output, restore_string, restore_length);
  (void)written;
  pid_t group = tcgetpgrp(terminal_state.input);
  if (group < 0 || group == getpgrp()) tcsetattr(terminal_state.input, TCSANOW, &terminal_state.modes_before);
  standard_error_release();
}
