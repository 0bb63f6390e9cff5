// The whole of ncursesw that subtop uses, as plain functions and plain structs.
//
// curses.h stays in the .c files: Swift cannot see its macros, refuses its global variables, and its short
// names (refresh, move, clear) would land in every file that imports it. ncurses keeps one state for the
// process: call everything here from one thread, save terminal_restore_in_emergency.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Opening and closing (Open.c)

struct terminal_settings {
  int input;
  int output;
  // The terminfo name, as in $TERM.
  const char *type;
  // For LC_CTYPE alone; "" takes the environment's. Numbers keep the C locale's point.
  const char *locale;
  // How long an Escape may wait to become a function key, in milliseconds.
  int escape_delay;
  // Without, not even the sequences that set the terminal's own colours are sent.
  bool use_colours;
};

enum terminal_opening {
  TERMINAL_OPENED = 0,
  TERMINAL_ALREADY_OPEN = 1,
  TERMINAL_TYPE_UNKNOWN = 2,
  TERMINAL_TYPE_INCAPABLE = 3,
  TERMINAL_OUT_OF_RESOURCES = 4,
};

int terminal_open(const struct terminal_settings *settings);
void terminal_close(void);
bool terminal_is_utf8(void);
// How many colours terminfo says that a type of terminal has, 0 for none, -1 where it knows no such type. Not while one is open.
int terminal_type_colours(const char *type);
// Whether it can put its cursor anywhere, without which nothing is drawn. Not while one is open.
bool terminal_type_moves_cursor(const char *type);
int terminal_columns(void);
int terminal_rows(void);
// Asks the kernel for the size and tells ncurses; a size of 0 (some pseudoterminals) is not believed.
void terminal_resize(void);
// Gives the terminal back, stops the process as Ctrl-Z does, and takes the terminal again when continued in the foreground.
void terminal_suspend(void);
// Sets the terminal's modes again and redraws everything. Does nothing and returns false in the background.
bool terminal_take_again(void);
// Whether the process was continued in the background and has not taken the terminal again.
bool terminal_is_away(void);

// Drawing (Draw.c)

enum terminal_attribute {
  TERMINAL_BOLD = 1,
  TERMINAL_REVERSE = 2,
  TERMINAL_UNDERLINE = 4,
  TERMINAL_DIM = 8,
};

struct terminal_cell {
  uint32_t scalars[5];
  uint8_t scalar_count;
  // 1, 2, or 0 for the right half of the cell before.
  uint8_t width;
  uint8_t attributes;
  // From terminal_colour_pair.
  int16_t pair;
};

// 0 on a terminal without colours, or opened without.
int terminal_colours(void);
// The pair for two colours, -1 being the terminal's own; 0 where there is none left.
int terminal_colour_pair(int foreground, int background);
void terminal_put_row(int row, const struct terminal_cell *cells, int count);
void terminal_show_cursor(int column, int row);
void terminal_hide_cursor(void);
// Sends what differs from what the terminal shows.
void terminal_flush(void);
// Makes the next flush send everything.
void terminal_forget_screen(void);

// Waiting and reading (Input.c)

enum terminal_readiness {
  TERMINAL_INPUT = 1,
  TERMINAL_SIGNAL = 2,
  TERMINAL_WOKEN = 4,
  TERMINAL_HANGUP = 8,
};

enum terminal_key_kind {
  TERMINAL_KEY_UNKNOWN = 0,
  TERMINAL_KEY_CHARACTER,
  TERMINAL_KEY_FUNCTION,
  TERMINAL_KEY_UP,
  TERMINAL_KEY_DOWN,
  TERMINAL_KEY_LEFT,
  TERMINAL_KEY_RIGHT,
  TERMINAL_KEY_HOME,
  TERMINAL_KEY_END,
  TERMINAL_KEY_PAGE_UP,
  TERMINAL_KEY_PAGE_DOWN,
  TERMINAL_KEY_ENTER,
  TERMINAL_KEY_BACK_TAB,
  TERMINAL_KEY_BACKSPACE,
  TERMINAL_KEY_DELETE,
  TERMINAL_KEY_INSERT,
  TERMINAL_MOUSE_LEFT,
  TERMINAL_MOUSE_MIDDLE,
  TERMINAL_MOUSE_RIGHT,
  TERMINAL_MOUSE_WHEEL_UP,
  TERMINAL_MOUSE_WHEEL_DOWN,
  // Characters between the two were pasted.
  TERMINAL_PASTE_BEGIN,
  TERMINAL_PASTE_END,
};

struct terminal_key {
  int kind;
  // A Unicode scalar, or a function key's number.
  uint32_t value;
  int column;
  int row;
};

// One poll(2) over the terminal, the signals and a descriptor of the caller's (-1: none); a set of
// terminal_readiness, empty when the time is over. A negative timeout waits for ever. While the terminal is away, keys are the
// shell's, and it returns after a tenth of a second.
int terminal_wait(int timeout_milliseconds, int wake_descriptor);
// The next key that has come; false when there is none.
bool terminal_next_key(struct terminal_key *key);
void terminal_set_mouse(bool on);

// Signals (Signals.c)

// The next signal that has come, 0 when there is none: SIGWINCH, SIGTSTP, SIGCONT, and those that end the
// program, SIGINT, SIGTERM, SIGHUP and SIGQUIT.
int terminal_next_signal(void);
// Gives the terminal back by write(2) and tcsetattr(3) alone; may be called from a signal handler. In the background it leaves
// the modes, which are the shell's.
void terminal_restore_in_emergency(void);
