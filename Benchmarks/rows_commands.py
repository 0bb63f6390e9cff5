"""Duration of whole commands, as scripts run them. They have no target."""
import json
import shlex
import subprocess

from measured import some_ids
from processes import environment, missing
from stores import store
from table import Row, milliseconds, skipped


def measure(bench):
    if missing("hyperfine"):
        return [skipped("whole commands", "", "hyperfine is not installed")]
    largest = store(bench, bench.lines[-1])
    chain = some_ids(largest, 3)["original transaction id"][1]
    asked = {"--version": ["--version"]} | {f"`{words}`": [*words.split(), "--store", largest.path] for words in (
        f"report overview --at {largest.at}", "report events --format json", "status", f"chain {chain}")}
    commands = [shlex.join(map(str, [bench.binaries / "subtop", *words])) for words in asked.values()]
    path = bench.cache / "hyperfine.json"
    subprocess.run(["hyperfine", "--style", "none", "--shell", "none", "--warmup", "1", "--runs", str(max(bench.rounds, 3)),
                    "--export-json", path, *commands], check=True, capture_output=True, env=environment())
    results = json.loads(path.read_text())["results"]
    return [Row(f"whole command {name}, {largest.lines:,} lines", milliseconds(1000 * result["median"]),
                spread=f"{1000 * result['min']:.0f}–{1000 * result['max']:.0f} ms")
            for name, result in zip(asked, results)]
