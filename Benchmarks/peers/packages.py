"""Compared Python packages from PyPI, in a virtual environment in the cache folder."""
import json
import subprocess
import sys

PACKAGES = {"duckdb": "duckdb", "inapppy": "inapppy==2.5"}


class Peers:
    def __init__(self, cache):
        self.folder = cache / "peers"
        self.python = self.folder / "bin" / "python"
        self.missing = {}

    def needs(self, name):
        """Installs a package if necessary. Returns a message if that fails; otherwise None."""
        if name in self.installed():
            return None
        if name not in self.missing:
            self.missing[name] = self.install(name)
        return self.missing[name]

    def install(self, name):
        if not self.python.exists():
            made = subprocess.run([sys.executable, "-m", "venv", self.folder], capture_output=True, text=True)
            if made.returncode:
                return f"no virtual environment ({last_line(made)})"
        done = subprocess.run([self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGES[name]],
                              capture_output=True, text=True)
        return f"{name} cannot be installed ({last_line(done)})" if done.returncode else None

    def installed(self):
        """Returns the installed packages with their versions."""
        if not self.python.exists():
            return {}
        listed = subprocess.run([self.python, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"],
                                capture_output=True, text=True)
        found = {each["name"].lower(): each["version"] for each in json.loads(listed.stdout or "[]")}
        return {name: found[name] for name in PACKAGES if name in found}


def last_line(done):
    said = (done.stderr or done.stdout).strip().splitlines()
    return said[-1] if said else f"exit {done.returncode}"
