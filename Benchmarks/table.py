"""Table of results, with a row for each measurement: both sides and the target."""
import datetime
import os
import platform
import re
import statistics
import subprocess
from dataclasses import dataclass


@dataclass
class Row:
    work: str
    ours: str
    theirs: str = "–"
    ratio: str = "–"
    spread: str = "–"
    target: str = ""
    reached: bool | None = None

    @property
    def cells(self):
        verdict = {True: "yes", False: "**no**", None: "–"}[self.reached]
        return [self.work, self.ours, self.theirs, self.ratio, self.spread, self.target, verdict]


def skipped(work, target, why):
    """Returns a row for a measurement that was skipped."""
    return Row(work, "–", f"skipped: {why}", target=target)


HEADS = ["work", "ours (median)", "theirs (median)", "ratio", "spread", "to reach", "reached"]


def markdown(rows):
    lines = ["| " + " | ".join(HEADS) + " |", "|---|---|---|---|---|---|---|"]
    return "\n".join(lines + ["| " + " | ".join(row.cells) + " |" for row in rows])


def median(values):
    return statistics.median(values)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(*series, digits=0):
    """Returns the range of each side."""
    return "; ".join(f"{number(min(each), digits)}–{number(max(each), digits)}" for each in series if each)


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def milliseconds(value):
    return f"{number(value, 1 if value >= 10 else 2)} ms"


def megabytes(kilobytes):
    return f"{kilobytes / 1024:.1f} MB"


def times(value):
    return f"{value:.2f} ×" if value < 10 else f"{value:,.0f} ×"


def thousands(count):
    """Returns a short form of a count, such as 10 k."""
    return f"{count // 1_000_000} M" if count >= 1_000_000 else f"{count // 1000} k" if count >= 1000 else str(count)


def machine():
    """Returns the date, processor, memory and kernel, which the results depend on."""
    model = re.search(r"model name\s*:\s*(.+)", open("/proc/cpuinfo").read())
    memory = int(re.search(r"MemTotal:\s+(\d+)", open("/proc/meminfo").read()).group(1))
    return (f"{datetime.date.today()}, {os.cpu_count()} cores of {model.group(1).strip() if model else platform.machine()}, "
            f"{memory / 1048576:.0f} GB, {platform.system()} {platform.release()}")


def first_line(*words):
    """Returns the first line of a program's output, or "not installed"."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return "not installed"
    return next((line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()), "unknown")


def versions(peers):
    """Returns the versions of all programs. `peers` has those of the Python packages by name."""
    swift = re.search(r"Swift version ([\d.]+)", first_line("swiftc", "--version"))
    found = {"Swift": swift.group(1) if swift else "not installed",
             "wrk": first_line("wrk", "-v").removeprefix("wrk ").split(" [")[0],
             "sqlite3": first_line("sqlite3", "--version").split(" ")[0],
             "nginx": first_line("nginx", "-v").removeprefix("nginx version: nginx/"),
             "openssl": first_line("openssl", "version").removeprefix("OpenSSL ").split(" ")[0],
             "htop": first_line("htop", "--version").removeprefix("htop "),
             "hyperfine": first_line("hyperfine", "--version").removeprefix("hyperfine "),
             "Python": platform.python_version()} | peers
    return ", ".join(f"{name} {version}" for name, version in found.items())
