// Declarations shared by the C files; not for Swift.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
// Without it, curses.h hides the wide API and declares cchar_t differently, so each file includes this header
// first.
#define NCURSES_WIDECHAR 1

#include <curses.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "CTerminal.h"

struct terminal_state {
  SCREEN *screen;
  FILE *input_stream;
  FILE *output_stream;
  int input;
  int output;
  struct termios modes_before;
  char locale_before[128];
  // Whether the terminal is in use: between open and close, except while suspended.
  volatile sig_atomic_t is_up;
  // Whether another process group has the terminal, so that nothing is drawn or read.
  bool is_away;
  bool has_colours;
  bool has_default_colours;
  bool has_mouse;
  // Whether bracketed paste is used: private mode 2004, which other terminals ignore.
  bool has_paste;
};

extern struct terminal_state terminal_state;

// Signals.c
bool signals_prepare(void);
void signals_remember(void);
void signals_install(void);
void signals_put_back(void);
int signals_descriptor(void);
void signals_prepare_restore_string(void);

// StandardError.c
void standard_error_capture(void);
void standard_error_release(void);

// Input.c
void input_define_keys(void);
void input_set_paste(bool on);

// Draw.c
void colours_open(bool wanted);
void colours_close(void);
