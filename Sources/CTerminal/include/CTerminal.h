// Plain functions and structs for the part of ncursesw that subtop uses.
//
// curses.h stays in the .c files: Swift cannot see its macros, refuses its global variables, and would import
// its short names (refresh, move, clear) into every file. ncurses has one state for the process: call
// everything here from one thread, except terminal_restore_in_emergency.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Opening and closing (Open.c)

struct terminal_settings {
  int input;
  int output;
  // The terminfo name, as in $TERM.
  const char *type;
  // For LC_CTYPE only; "" uses the environment's. Numbers keep the C locale's decimal point.
  const char *locale;
  // Milliseconds that an Escape may wait to become a function key.
  int escape_delay;
  // If false, not even the sequences for the terminal's default colours are sent.
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
// Number of colours of a terminal type according to terminfo, 0 for none, -1 if the type is unknown. Must not
// be called while a terminal is open.
int terminal_type_colours(const char *type);
// Whether the type can position its cursor, which drawing requires. Must not be called while a terminal is
// open.
bool terminal_type_moves_cursor(const char *type);
int terminal_columns(void);
int terminal_rows(void);
// Reads the size from the kernel and passes it to ncurses; ignores a size of 0, which some pseudoterminals
// report.
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

// 0 if the terminal has no colours or was opened without them.
int terminal_colours(void);
// Returns the pair of two colours, -1 for the terminal's default; 0 if there is none left.
int terminal_colour_pair(int foreground, int background);
void terminal_put_row(int row, const struct terminal_cell *cells, int count);
void terminal_show_cursor(int column, int row);
void terminal_hide_cursor(void);
// Updates the terminal; only changed cells are sent.
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
  // Characters between these two were pasted.
  TERMINAL_PASTE_BEGIN,
  TERMINAL_PASTE_END,
  TERMINAL_KEY_CONTROL_UP,
  TERMINAL_KEY_CONTROL_DOWN,
  TERMINAL_KEY_CONTROL_RIGHT,
  TERMINAL_KEY_CONTROL_LEFT,
  // The value is 1 if the background is light, else 0.
  TERMINAL_BACKGROUND,
};

struct terminal_key {
  int kind;
  // A Unicode scalar, or a function key's number.
  uint32_t value;
  int column;
  int row;
};

// Polls the terminal, the signals and another descriptor (-1 for none). Returns a set of terminal_readiness,
// empty if the time has passed. A negative timeout waits forever. While the terminal is away, keys are the
// shell's, and the wait takes a tenth of a second at most.
int terminal_wait(int timeout_milliseconds, int wake_descriptor);
// Reads the next key; false if there is none.
bool terminal_next_key(struct terminal_key *key);
void terminal_set_mouse(bool on);
// Asks a terminal with colours for its background (OSC 11). Terminals without an answer ignore it.
void terminal_ask_background(void);

// Signals (Signals.c)

// Returns the next signal, 0 if there is none: SIGWINCH, SIGTSTP, SIGCONT, and those that end the program,
// SIGINT, SIGTERM, SIGHUP and SIGQUIT.
int terminal_next_signal(void);
// Restores the terminal with write(2) and tcsetattr(3) only; may be called from a signal handler. In the
// background it leaves the modes, which are the shell's.
void terminal_restore_in_emergency(void);
