"""Processes of a measurement: each is ended by its own number, also when somebody presses ^C."""
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
    """A process that `end_all` ends, if nobody did before."""
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
    """Has every signal that ends a program unwind the stack, so that nothing is left running."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))


def environment(**more):
    """That of a program of ours: nothing of the person's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SUBTOP_", "XDG_"))}
    return kept | {"LC_ALL": "C.UTF-8", "SUBTOP_SHARED_SECRET": "subtop-demo",
                   "XDG_CONFIG_HOME": "/nonexistent"} | more


def run(*words, **options):
    """What a program printed; its complaint where it failed."""
    options = {"env": environment()} | options
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def memory(pid):
    """Resident kilobytes and their peak; nothing once it has ended."""
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
    """The peak of a process, looked at until it has ended."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.kilobytes = pid, 0
        self.start()

    def run(self):
        while found := memory(self.pid):
            self.kilobytes = max(self.kilobytes, found[1])
            time.sleep(0.05)


def timed(words, **options):
    """Seconds, peak kilobytes and standard output of a program of ours."""
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
    """The App Store on loopback.

    One that is elsewhere, as Apple's is, takes no processor from what is measured: it stands behind, as a session of its own
    where Linux gives each session its share.
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
    """Gives a session less than its share (sched(7), autogroup), where there are such."""
    try:
        with open(f"/proc/{session}/autogroup", "w") as file:
            file.write("15")
    except OSError:
        pass


def missing(*programs):
    """Those of the programs that are not installed."""
    return [name for name in programs if not shutil.which(name)]
