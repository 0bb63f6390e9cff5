"""Processes of a measurement. Each is ended by its process id, also after Ctrl+C."""
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

started = []


def start(words, **options):
    """Starts a process, which `end_all` ends if it still runs."""
    process = subprocess.Popen([str(word) for word in words], **options)
    started.append(process)
    return process


def end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process in started:
        started.remove(process)


def end_all():
    for process in list(started):
        end(process)


def die_politely():
    """Makes signals that end a program unwind the stack, so that no process is left running."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))


def environment(**more):
    """Returns the environment for our programs, without the user's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SUBTOP_", "XDG_"))}
    return kept | {"LC_ALL": "C.UTF-8", "SUBTOP_SHARED_SECRET": "subtop-demo",
                   "XDG_CONFIG_HOME": "/nonexistent"} | more


def run(*words, **options):
    """Runs a program and returns its output. Raises an error with its messages if it fails."""
    options = {"env": environment()} | options
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def memory(pid):
    """Returns the resident memory and its peak in kilobytes; None if the process has ended."""
    try:
        text = open(f"/proc/{pid}/status").read()
    except OSError:
        return None
    found = {name: int(value) for name, value in re.findall(r"(VmRSS|VmHWM):\s+(\d+)", text)}
    return (found["VmRSS"], found["VmHWM"]) if len(found) == 2 else None


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class PeakMemory(threading.Thread):
    """Thread that reads the peak memory of a process until the process ends."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.kilobytes = pid, 0
        self.start()

    def run(self):
        while found := memory(self.pid):
            self.kilobytes = max(self.kilobytes, found[1])
            time.sleep(0.05)


def timed(words, **options):
    """Runs one of our programs. Returns its seconds, peak kilobytes and standard output."""
    began = time.monotonic()
    process = start(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **{"env": environment()} | options)
    peak = PeakMemory(process.pid)
    out, errors = process.communicate()
    seconds = time.monotonic() - began
    end(process)
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, words[:3]))} ended with {process.returncode}: {errors.strip()[-500:]}")
    return seconds, peak.kilobytes, out


# Answers about a receipt get different instants, as Apple's do, but no new purchases occur.
CLOCK_SPEED = 0.01


class FakeAppStore:
    """Fake App Store on loopback.

    With `elsewhere` it leaves the processors to the measured program, as Apple's servers would: it has a lower priority, and
    its own session, because Linux divides the processors between sessions.
    """

    def __init__(self, binaries, subscribers, at, elsewhere=False, speed=CLOCK_SPEED, more=()):
        self.process = start(
            [*(["nice", "-n", 15] if elsewhere else []), binaries / "fake-app-store", "--port", 0,
             "--subscribers", subscribers, "--start", at, "--clock-speed", speed, *more],
            stdout=subprocess.PIPE, text=True, start_new_session=elsewhere)
        if elsewhere:
            stand_behind(self.process.pid)
        self.url = None
        while self.url is None:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("the fake App Store did not start")
            found = re.search(r"http://[0-9.:]+", line)
            self.url = found and found.group(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)

    @property
    def options(self):
        return ["--production-url", f"{self.url}/verifyReceipt", "--sandbox-url", f"{self.url}/sandbox/verifyReceipt"]


def stand_behind(session):
    """Lowers the priority of a session (sched(7), autogroup), if the kernel supports it."""
    try:
        with open(f"/proc/{session}/autogroup", "w") as file:
            file.write("15")
    except OSError:
        pass


def missing(*programs):
    """Returns the programs that are not installed."""
    return [name for name in programs if not shutil.which(name)]
