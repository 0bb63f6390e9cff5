#include "State.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

struct terminal_state terminal_state;

// Opens the terminal again for non-blocking reads. nodelay() is not enough: after an unrequested mouse report
// (a release, a sideways wheel) ncurses reads on and waits. O_NONBLOCK on the descriptor itself would also
// affect the shell and our output.
static int open_anew(int descriptor) {
  char path[128];
  if (ttyname_r(descriptor, path, sizeof path) != 0) return -1;
  return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static FILE *stream_over(int descriptor, const char *mode) {
  int copy = mode[0] == 'r' ? open_anew(descriptor) : -1;
  if (copy < 0) copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return NULL;
  FILE *stream = fdopen(copy, mode);
  if (stream == NULL) close(copy);
  return stream;
}

static void close_streams(void) {
  if (terminal_state.input_stream != NULL) fclose(terminal_state.input_stream);
  if (terminal_state.output_stream != NULL) fclose(terminal_state.output_stream);
  terminal_state.input_stream = terminal_state.output_stream = NULL;
}

static void take_locale(const char *name) {
  const char *before = setlocale(LC_CTYPE, NULL);
  strncpy(terminal_state.locale_before, before ? before : "C", sizeof terminal_state.locale_before - 1);
  setlocale(LC_CTYPE, name);
}

static int give_up(int reason) {
  if (terminal_state.screen != NULL) {
    endwin();
    delscreen(terminal_state.screen);
    terminal_state.screen = NULL;
  }
  close_streams();
  signals_put_back();
  setlocale(LC_CTYPE, terminal_state.locale_before);
  return reason;
}

static void set_modes(int escape_delay) {
  // cbreak instead of raw, so that the kernel turns Ctrl-C, Ctrl-Z and Ctrl-\ into signals. A busy main loop
  // cannot miss them, and they are handled like those of kill(1).
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  leaveok(stdscr, FALSE);
  set_escdelay(escape_delay);
  curs_set(0);
  // Makes Ctrl-S, Ctrl-Q, Ctrl-V and Ctrl-O keys instead of flow control and line editing.
  struct termios modes;
  if (tcgetattr(terminal_state.input, &modes) == 0) {
    modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
    modes.c_lflag &= ~(tcflag_t)IEXTEN;
    tcsetattr(terminal_state.input, TCSADRAIN, &modes);
    def_prog_mode();
  }
}

static bool moves_cursor(void) {
  const char *move = tigetstr("cup");
  return move != NULL && move != (char *)-1;
}

static bool look_up(const char *type) {
  int problem = 0;
  return setupterm(type, STDOUT_FILENO, &problem) == OK;
}

bool terminal_type_moves_cursor(const char *type) {
  if (!look_up(type)) return false;
  bool moves = moves_cursor();
  del_curterm(cur_term);
  return moves;
}

int terminal_type_colours(const char *type) {
  if (!look_up(type)) return -1;
  int colours = tigetnum("colors");
  del_curterm(cur_term);
  return colours < 0 ? 0 : colours;
}

int terminal_open(const struct terminal_settings *settings) {
  static bool registered = false;
  if (terminal_state.screen != NULL) return TERMINAL_ALREADY_OPEN;
  terminal_state = (struct terminal_state){.input = settings->input, .output = settings->output};
  if (tcgetattr(settings->input, &terminal_state.modes_before) != 0) return TERMINAL_OUT_OF_RESOURCES;
  take_locale(settings->locale);
  signals_remember();
  if (!signals_prepare()) return give_up(TERMINAL_OUT_OF_RESOURCES);
  terminal_state.input_stream = stream_over(settings->input, "r");
  terminal_state.output_stream = stream_over(settings->output, "w");
  if (terminal_state.input_stream == NULL || terminal_state.output_stream == NULL) {
    return give_up(TERMINAL_OUT_OF_RESOURCES);
  }
  // The kernel's size, since $LINES and $COLUMNS do not change with the window.
  use_env(FALSE);
  use_tioctl(TRUE);
  // initscr would end the process if the terminal type is unknown.
  terminal_state.screen = newterm(settings->type, terminal_state.output_stream, terminal_state.input_stream);
  if (terminal_state.screen == NULL) return give_up(TERMINAL_TYPE_UNKNOWN);
  if (!moves_cursor()) return give_up(TERMINAL_TYPE_INCAPABLE);
  set_modes(settings->escape_delay);
  input_define_keys();
  input_set_paste(true);
  colours_open(settings->use_colours);
  signals_prepare_restore_string();
  signals_install();
  // The window may have been resized before the handler was installed.
  terminal_resize();
  if (!registered) registered = atexit(terminal_restore_in_emergency) == 0;
  standard_error_capture();
  terminal_state.is_up = 1;
  return TERMINAL_OPENED;
}

// Whether another process group, such as the shell's, has the terminal. False without a controlling terminal.
static bool is_in_background(void) {
  pid_t group = tcgetpgrp(terminal_state.input);
  return group > 0 && group != getpgrp();
}

// Blocks SIGTTOU, which stops a background process that sets the terminal's modes.
static sigset_t withhold_stops(void) {
  sigset_t stops, before;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &stops, &before);
  return before;
}

void terminal_close(void) {
  if (terminal_state.screen == NULL) return;
  sigset_t before = withhold_stops();
  if (is_in_background()) {
    // The shell has set its own modes.
    terminal_restore_in_emergency();
  } else {
    terminal_set_mouse(false);
    input_set_paste(false);
    endwin();
    tcsetattr(terminal_state.input, TCSADRAIN, &terminal_state.modes_before);
  }
  terminal_state.is_up = 0;
  delscreen(terminal_state.screen);
  terminal_state.screen = NULL;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  colours_close();
  close_streams();
  signals_put_back();
  setlocale(LC_CTYPE, terminal_state.locale_before);
  standard_error_release();
}

bool terminal_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

int terminal_columns(void) { return terminal_state.screen != NULL ? COLS : 0; }
int terminal_rows(void) { return terminal_state.screen != NULL ? LINES : 0; }

void terminal_resize(void) {
  struct winsize size;
  if (ioctl(terminal_state.output, TIOCGWINSZ, &size) != 0) return;
  if (size.ws_row == 0 || size.ws_col == 0) return;
  resizeterm(size.ws_row, size.ws_col);
  terminal_forget_screen();
}

void terminal_suspend(void) {
  if (!terminal_state.is_away) {
    input_set_paste(false);
    endwin();
  }
  terminal_state.is_up = 0;
  terminal_state.is_away = true;
  standard_error_release();
  struct sigaction stop_before, continue_before;
  struct sigaction standard = {0};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCONT, &standard, &continue_before);
  sigaction(SIGTSTP, &standard, &stop_before);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &stop_before, NULL);
  sigaction(SIGCONT, &continue_before, NULL);
  terminal_take_again();
}

bool terminal_is_away(void) { return terminal_state.is_away; }

bool terminal_take_again(void) {
  if (terminal_state.screen == NULL) return false;
  terminal_state.is_away = is_in_background();
  if (terminal_state.is_away) return false;
  sigset_t before = withhold_stops();
  // Other programs may have changed the terminal, so every mode is set again.
  if (!isendwin()) endwin();
  standard_error_capture();
  reset_prog_mode();
  terminal_state.is_up = 1;
  input_set_paste(true);
  terminal_resize();
  terminal_forget_screen();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return true;
}
