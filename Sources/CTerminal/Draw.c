#include "State.h"

#include <stdlib.h>
#include <wchar.h>

// Pairs are created on first use. COLOR_PAIR wraps above 255, and the Linux console has only 64.
enum { PAIRS = 255 };

static struct {
  int foreground;
  int background;
} pairs[PAIRS];
static int pair_count;

static cchar_t *row_buffer;
static int row_capacity;

void colours_open(bool wanted) {
  pair_count = 0;
  terminal_state.has_colours = wanted && has_colors() && start_color() == OK;
  if (!terminal_state.has_colours) return;
  terminal_state.has_default_colours = use_default_colors() == OK;
}

void colours_close(void) {
  free(row_buffer);
  row_buffer = NULL;
  row_capacity = 0;
}

int terminal_colours(void) { return terminal_state.has_colours ? COLORS : 0; }

int terminal_colour_pair(int foreground, int background) {
  if (!terminal_state.has_colours || foreground >= COLORS || background >= COLORS) return 0;
  if (!terminal_state.has_default_colours) {
    if (foreground < 0) foreground = COLOR_WHITE;
    if (background < 0) background = COLOR_BLACK;
  }
  if (foreground < 0 && background < 0) return 0;
  for (int i = 0; i < pair_count; i++) {
    if (pairs[i].foreground == foreground && pairs[i].background == background) return i + 1;
  }
  if (pair_count >= PAIRS || pair_count + 1 >= COLOR_PAIRS) return 0;
  if (init_extended_pair(pair_count + 1, foreground, background) != OK) return 0;
  pairs[pair_count].foreground = foreground;
  pairs[pair_count].background = background;
  pair_count += 1;
  return pair_count;
}

static attr_t attributes_of(const struct terminal_cell *cell) {
  attr_t attributes = A_NORMAL;
  if (cell->attributes & TERMINAL_BOLD) attributes |= A_BOLD;
  if (cell->attributes & TERMINAL_REVERSE) attributes |= A_REVERSE;
  if (cell->attributes & TERMINAL_UNDERLINE) attributes |= A_UNDERLINE;
  if (cell->attributes & TERMINAL_DIM) attributes |= A_DIM;
  return attributes;
}

static bool set_cell(cchar_t *target, const struct terminal_cell *cell) {
  wchar_t text[CCHARW_MAX + 1] = {0};
  int length = 0;
  for (int i = 0; i < cell->scalar_count && i < CCHARW_MAX; i++) {
    int width = wcwidth((wchar_t)cell->scalars[i]);
    // ncurses advances by libc's width. If that differs from ours, the rest of the row would shift.
    if (i == 0 && width != cell->width) return false;
    if (i > 0 && width != 0) continue;
    text[length++] = (wchar_t)cell->scalars[i];
  }
  return length > 0 && setcchar(target, text, attributes_of(cell), cell->pair, NULL) == OK;
}

void terminal_put_row(int row, const struct terminal_cell *cells, int count) {
  if (row < 0 || row >= LINES) return;
  if (count > COLS) count = COLS;
  if (count > row_capacity) {
    cchar_t *grown = realloc(row_buffer, (size_t)count * sizeof *grown);
    if (grown == NULL) return;
    row_buffer = grown;
    row_capacity = count;
  }
  int filled = 0;
  for (int i = 0; i < count; i++) {
    const struct terminal_cell *cell = &cells[i];
    if (cell->width == 0) continue;
    if (i + cell->width <= count && set_cell(&row_buffer[filled], cell)) {
      filled += 1;
      continue;
    }
    int wide = i + cell->width <= count ? cell->width : count - i;
    for (int part = 0; part < wide; part++) {
      setcchar(&row_buffer[filled++], L"?", attributes_of(cell), cell->pair, NULL);
    }
  }
  mvwadd_wchnstr(stdscr, row, 0, row_buffer, filled);
}

void terminal_show_cursor(int column, int row) {
  wmove(stdscr, row, column);
  curs_set(1);
}

void terminal_hide_cursor(void) { curs_set(0); }

void terminal_flush(void) {
  wnoutrefresh(stdscr);
  doupdate();
}

void terminal_forget_screen(void) { clearok(curscr, TRUE); }
