#include "State.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

// Key codes beyond those of ncurses.
enum { PASTE_BEGIN = KEY_MAX + 1, PASTE_END = KEY_MAX + 2, CONTROL_UP = KEY_MAX + 1024 };

static bool is_pasting;

static void define(const char *sequence, int code) {
  // terminfo takes precedence.
  if (key_defined(sequence) == 0) define_key(sequence, code);
}

// xterm in keypad mode sends ESC O A, but not every program sets that mode in time, and other terminals send
// ESC [ A under the same name. ncurses knows only the sequence in terminfo.
void input_define_keys(void) {
  const char *move = tigetstr("cup");
  if (move == NULL || move == (char *)-1 || strncmp(move, "\033[", 2) != 0) return;
  static const struct {
    const char *sequence;
    int code;
  } keys[] = {
      {"\033[A", KEY_UP},     {"\033[B", KEY_DOWN},   {"\033[C", KEY_RIGHT},  {"\033[D", KEY_LEFT},
      {"\033OA", KEY_UP},     {"\033OB", KEY_DOWN},   {"\033OC", KEY_RIGHT},  {"\033OD", KEY_LEFT},
      {"\033[H", KEY_HOME},   {"\033[F", KEY_END},    {"\033OH", KEY_HOME},   {"\033OF", KEY_END},
      {"\033[1~", KEY_HOME},  {"\033[4~", KEY_END},   {"\033[7~", KEY_HOME},  {"\033[8~", KEY_END},
      {"\033[2~", KEY_IC},    {"\033[3~", KEY_DC},    {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
      {"\033[Z", KEY_BTAB},   {"\033OM", KEY_ENTER},  {"\033OP", KEY_F(1)},   {"\033OQ", KEY_F(2)},
      {"\033OR", KEY_F(3)},   {"\033OS", KEY_F(4)},   {"\033[11~", KEY_F(1)}, {"\033[12~", KEY_F(2)},
      {"\033[13~", KEY_F(3)}, {"\033[14~", KEY_F(4)}, {"\033[15~", KEY_F(5)}, {"\033[17~", KEY_F(6)},
      {"\033[18~", KEY_F(7)}, {"\033[19~", KEY_F(8)}, {"\033[20~", KEY_F(9)}, {"\033[21~", KEY_F(10)},
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) define(keys[i].sequence, keys[i].code);
  // Arrows with Ctrl, of xterm and of rxvt. terminfo has them under names of its own.
  for (int i = 0; i < 4; i++) {
    char xterm[] = {'\033', '[', '1', ';', '5', (char)('A' + i), 0};
    char rxvt[] = {'\033', 'O', (char)('a' + i), 0};
    define_key(xterm, CONTROL_UP + i);
    define_key(rxvt, CONTROL_UP + i);
  }
  define_key("\033[200~", PASTE_BEGIN);
  define_key("\033[201~", PASTE_END);
  terminal_state.has_paste = true;
}

void input_set_paste(bool on) {
  is_pasting = false;
  if (!terminal_state.has_paste) return;
  ssize_t written = write(terminal_state.output, on ? "\033[?2004h" : "\033[?2004l", 8);
  (void)written;
}

int terminal_wait(int timeout, int wake_descriptor) {
  bool is_away = terminal_state.is_away;
  if (is_away && (timeout < 0 || timeout > 100)) timeout = 100;
  struct pollfd polled[3] = {
      {.fd = terminal_state.input, .events = is_away ? 0 : POLLIN},
      {.fd = signals_descriptor(), .events = POLLIN},
      {.fd = wake_descriptor, .events = POLLIN},
  };
  int count = poll(polled, 3, timeout);
  // The interrupting signal has put its byte into the pipe.
  if (count < 0 && errno == EINTR) count = poll(polled, 3, 0);
  if (count <= 0) return 0;
  int ready = 0;
  if (polled[0].revents & POLLIN) ready |= TERMINAL_INPUT;
  // After a hangup, get_wch would report missing input forever.
  if (polled[0].revents & (POLLHUP | POLLERR | POLLNVAL)) ready |= TERMINAL_HANGUP;
  if (polled[1].revents & POLLIN) ready |= TERMINAL_SIGNAL;
  if (polled[2].revents & POLLIN) ready |= TERMINAL_WOKEN;
  return ready;
}

// Reports of one read, newest first, since getmouse pops them in that order.
static struct terminal_key reports[16];
static int report_count;

void terminal_set_mouse(bool on) {
  // Releases are ignored, but ncurses drops a press that it reads together with an unrequested event.
  mmask_t wanted = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON2_PRESSED | BUTTON2_RELEASED | BUTTON3_PRESSED
    | BUTTON3_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED;
  mmask_t got = mousemask(on ? wanted : 0, NULL);
  // Otherwise ncurses would delay each press to detect clicks.
  mouseinterval(0);
  report_count = 0;
  terminal_state.has_mouse = on && got != 0;
  signals_prepare_restore_string();
}

static int action_of(mmask_t state) {
  if (state & BUTTON1_PRESSED) return TERMINAL_MOUSE_LEFT;
  if (state & BUTTON2_PRESSED) return TERMINAL_MOUSE_MIDDLE;
  if (state & BUTTON3_PRESSED) return TERMINAL_MOUSE_RIGHT;
  if (state & BUTTON4_PRESSED) return TERMINAL_MOUSE_WHEEL_UP;
  if (state & BUTTON5_PRESSED) return TERMINAL_MOUSE_WHEEL_DOWN;
  return TERMINAL_KEY_UNKNOWN;
}

static void collect_reports(void) {
  MEVENT event;
  report_count = 0;
  while (getmouse(&event) == OK) {
    int action = action_of(event.bstate);
    if (action == TERMINAL_KEY_UNKNOWN || report_count == sizeof reports / sizeof *reports) continue;
    reports[report_count++] = (struct terminal_key){.kind = action, .column = event.x, .row = event.y};
  }
}

static bool decode_code(wint_t code, struct terminal_key *key) {
  if (code >= KEY_F(1) && code <= KEY_F(12)) {
    key->kind = TERMINAL_KEY_FUNCTION;
    key->value = code - KEY_F(0);
    return true;
  }
  if (code >= CONTROL_UP && code < CONTROL_UP + 4) {
    key->kind = TERMINAL_KEY_CONTROL_UP + (int)(code - CONTROL_UP);
    return true;
  }
  switch (code) {
    case KEY_MOUSE: collect_reports(); return false;
    // resizeterm adds this key. The size comes with SIGWINCH.
    case KEY_RESIZE: return false;
    case PASTE_BEGIN: is_pasting = true; key->kind = TERMINAL_PASTE_BEGIN; break;
    case PASTE_END: is_pasting = false; key->kind = TERMINAL_PASTE_END; break;
    case KEY_UP: key->kind = TERMINAL_KEY_UP; break;
    case KEY_DOWN: key->kind = TERMINAL_KEY_DOWN; break;
    case KEY_LEFT: key->kind = TERMINAL_KEY_LEFT; break;
    case KEY_RIGHT: key->kind = TERMINAL_KEY_RIGHT; break;
    case KEY_HOME: key->kind = TERMINAL_KEY_HOME; break;
    case KEY_END: key->kind = TERMINAL_KEY_END; break;
    case KEY_PPAGE: key->kind = TERMINAL_KEY_PAGE_UP; break;
    case KEY_NPAGE: key->kind = TERMINAL_KEY_PAGE_DOWN; break;
    case KEY_ENTER: key->kind = TERMINAL_KEY_ENTER; break;
    case KEY_BTAB: key->kind = TERMINAL_KEY_BACK_TAB; break;
    case KEY_BACKSPACE: key->kind = TERMINAL_KEY_BACKSPACE; break;
    case KEY_DC: key->kind = TERMINAL_KEY_DELETE; break;
    case KEY_IC: key->kind = TERMINAL_KEY_INSERT; break;
    default: key->kind = TERMINAL_KEY_UNKNOWN; break;
  }
  return true;
}

// Answer about the background: ESC ] 11;rgb:RRRR/GGGG/BBBB, ended by BEL or ESC \. It may arrive in parts.
static const char answer_start[] = "11;rgb:";
static const char digits[] = "0123456789abcdefABCDEF";
static char answer[40];
// Number of its characters that were read; -1 outside of an answer.
static int answer_length = -1;
static bool is_answer_ending;
static bool is_asked;

void terminal_ask_background(void) {
  // The Linux console does not answer, and its older versions print the question.
  if (!terminal_state.has_colours || strncmp(termname(), "linux", 5) == 0) return;
  is_asked = true;
  ssize_t written = write(terminal_state.output, "\033]11;?\033\\", 8);
  (void)written;
}

static void decode_answer(struct terminal_key *key) {
  unsigned red, green, blue;
  answer[answer_length] = 0;
  if (sscanf(answer, "11;rgb:%x/%x/%x", &red, &green, &blue) != 3) return;
  // One to four digits for each colour.
  size_t length = strspn(answer + sizeof answer_start - 1, digits);
  if (length > 4) return;
  unsigned white = (1u << 4 * length) - 1;
  is_asked = false;
  key->kind = TERMINAL_BACKGROUND;
  key->value = 299 * red + 587 * green + 114 * blue > 500 * white;
}

// Takes a character of an answer. Returns false if it belongs to none, since a typed Alt-] begins like one.
static bool take_answer(wint_t code, struct terminal_key *key) {
  int start = sizeof answer_start - 1;
  if (code == 007 || code == 033) {
    decode_answer(key);
    answer_length = -1;
    is_answer_ending = code == 033;
    return true;
  }
  bool fits = answer_length < start ? code == (wint_t)answer_start[answer_length]
    : code == '/' || (code < 128 && strchr(digits, (int)code) != NULL);
  if (!fits || answer_length + 1 >= (int)sizeof answer) {
    answer_length = -1;
    return false;
  }
  answer[answer_length++] = (char)code;
  return true;
}

// After an Escape: reads an unknown sequence to its end, so that its letters are not taken for keys. Returns
// whether there was one.
static bool swallow_sequence(void) {
  wint_t next = 0;
  int result = get_wch(&next);
  if (result == ERR) return false;
  if (result == KEY_CODE_YES) {
    ungetch((int)next);
    return false;
  }
  if (next == 'O') {
    get_wch(&next);
    return true;
  }
  if (next == ']' && is_asked) {
    answer_length = 0;
    return true;
  }
  if (next != '[') {
    unget_wch((wchar_t)next);
    return false;
  }
  for (int length = 0; length < 32; length++) {
    if (get_wch(&next) != OK || (next >= 0x40 && next <= 0x7E)) break;
  }
  return true;
}

// After an Escape in a paste: returns whether nothing follows, so the end of the paste was lost. Otherwise
// the Escape is part of the paste, and is dropped.
static bool is_end_of_paste(void) {
  wint_t next = 0;
  int result = get_wch(&next);
  if (result == ERR) return true;
  if (result == KEY_CODE_YES) {
    ungetch((int)next);
  } else {
    unget_wch((wchar_t)next);
  }
  return false;
}

bool terminal_next_key(struct terminal_key *key) {
  for (;;) {
    if (report_count > 0) {
      *key = reports[--report_count];
      return true;
    }
    *key = (struct terminal_key){.kind = TERMINAL_KEY_UNKNOWN};
    wint_t code = 0;
    int result = get_wch(&code);
    if (result == ERR) return false;
    if (result == KEY_CODE_YES) {
      if (decode_code(code, key)) return true;
      continue;
    }
    bool is_end = is_answer_ending && code == '\\';
    is_answer_ending = false;
    if (is_end || (answer_length >= 0 && take_answer(code, key))) {
      if (key->kind == TERMINAL_BACKGROUND) return true;
      continue;
    }
    if (code == 033 && is_pasting) {
      if (!is_end_of_paste()) continue;
      is_pasting = false;
      key->kind = TERMINAL_PASTE_END;
      return true;
    }
    if (code == 033 && swallow_sequence()) {
      if (answer_length == 0) continue;
      return true;
    }
    key->kind = TERMINAL_KEY_CHARACTER;
    key->value = (uint32_t)code;
    return true;
  }
}
