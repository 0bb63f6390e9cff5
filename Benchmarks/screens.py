"""Programs on a pseudoterminal: time until a text is written, and time from a key to its output."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import tempfile
import termios
import time

from processes import environment

COLUMNS, ROWS = 120, 40
SEQUENCE = re.compile(rb"\x1b(?:\[[0-9;?>]*[ -/]*[@-~]|[()][0-9A-B]|[=>78]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
running = []


def plain(output):
    """Returns the output without escape sequences."""
    return SEQUENCE.sub(b"\n", output).decode("utf-8", "replace")


class Screen:
    """A program on its own pseudoterminal."""

    def __init__(self, words, quit_key="q", **more):
        self.folder, self.quit_key = tempfile.mkdtemp(), quit_key
        variables = environment(TERM="xterm-256color", XDG_STATE_HOME=self.folder, XDG_CONFIG_HOME=self.folder,
                                HOME=self.folder, HTOPRC="/dev/null") | more
        variables.pop("COLORTERM", None)
        self.began = time.monotonic()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvpe(str(words[0]), [str(word) for word in words], variables)
        running.append(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def chunk(self, seconds):
        """Returns the next output within the time; b'' if there is none, None if the program has ended."""
        if not select.select([self.terminal], [], [], max(0, seconds))[0]:
            return b""
        try:
            return os.read(self.terminal, 65536) or None
        except OSError:
            return None

    def seconds_until(self, wanted, limit=60):
        """Returns the seconds from the start of the program until its output matches a pattern."""
        written, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            chunk = self.chunk(end - time.monotonic())
            if chunk is None:
                break
            written += chunk
            if re.search(wanted, plain(written)):
                return time.monotonic() - self.began
        raise RuntimeError(f"no output matched {wanted} within {limit} s; the last output is {plain(written)[-300:]!r}")

    def still(self, seconds=0.25, limit=30):
        """Returns the output until the program has been silent for some seconds."""
        written, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            chunk = self.chunk(seconds)
            if not chunk:
                break
            written += chunk
        return written

    def press(self, key, *wanted, limit=2.0):
        """Returns the milliseconds from a key to the first output that matches each pattern; None if none came in time.

        Without a pattern, any output counts.
        """
        began = time.monotonic()
        os.write(self.terminal, key.encode())
        written, found = b"", [None] * max(1, len(wanted))
        while None in found and (left := began + limit - time.monotonic()) > 0:
            chunk = self.chunk(left)
            if not chunk:
                break
            taken, written = 1000 * (time.monotonic() - began), written + chunk
            text = plain(written)
            for place, pattern in enumerate(wanted or [""]):
                if found[place] is None and re.search(pattern, text):
                    found[place] = taken
        return found if wanted else found[0]

    def end(self):
        if self not in running:
            return
        running.remove(self)
        try:
            os.write(self.terminal, self.quit_key.encode())
            limit = time.monotonic() + 3
            while time.monotonic() < limit and self.chunk(0.2) is not None:
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    break
            else:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
        except (OSError, ChildProcessError):
            pass
        os.close(self.terminal)
        shutil.rmtree(self.folder, ignore_errors=True)


def end_all():
    for screen in list(running):
        screen.end()
