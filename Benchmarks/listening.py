"""A store of an earlier day, the notifications since that day, and programs that receive them."""
import base64
import datetime
import json
import socket
import subprocess
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from processes import end, environment, run, start
from stores import MOST_DAYS, fill, remove, run_to, settle

# Age of the store in days. Each subscriber has about three notifications in two months.
DAYS = 40


@dataclass
class ListenStore:
    path: Path
    # Notification bodies, one per line, oldest first; below it, the root certificate that verifies them.
    bodies: Path
    root: Path
    configuration: Path
    subscribers: int
    start: str
    count: int


def listen_store(bench, subscribers):
    folder = bench.cache / bench.schema / f"listen-{subscribers}"
    about = folder / "about.json"
    paths = {"path": folder / "store.sqlite", "bodies": folder / "bodies.jsonl", "root": folder / "root.pem",
             "configuration": folder / "config.toml"}
    if about.exists():
        kept = json.loads(about.read_text())
        if time.time() - kept.pop("made") < MOST_DAYS * 86400:
            return ListenStore(**paths, subscribers=subscribers, **kept)
    folder.mkdir(parents=True, exist_ok=True)
    remove(paths["path"])
    now = datetime.datetime.now(datetime.UTC)
    began = f"{now - datetime.timedelta(days=DAYS):%Y-%m-%d}T00:00:00Z"
    bench.say(f"making a store of {subscribers:,} subscribers to listen for in {folder}")
    fill(bench, paths["path"], subscribers, began)
    settle(paths["path"])
    with open(paths["bodies"], "wb") as file:
        run_to(file, bench.binaries / "subtop-measure", "notifications", "--subscribers", subscribers, "--start", began,
               "--until", f"{now:%Y-%m-%dT%H:%M:%SZ}", "--write-root", paths["root"])
    paths["configuration"].write_text(f'root_certificate_file = "{paths["root"]}"\n')
    with open(paths["bodies"], "rb") as file:
        count = sum(1 for _ in file)
    about.write_text(json.dumps({"made": time.time(), "start": began, "count": count}))
    return ListenStore(**paths, subscribers=subscribers, start=began, count=count)


def uuid(body):
    """Returns Apple's identifier of a notification."""
    payload = json.loads(body)["signedPayload"].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["notificationUUID"]


class Listener:
    """`subtop listen` over a store."""

    def __init__(self, bench, path, configuration):
        self.process = start([bench.binaries / "subtop", "listen", "--port", 0, "--store", path, "--config", configuration],
                             stdout=subprocess.PIPE, text=True, env=environment())
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http"):
            raise RuntimeError("subtop listen did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)


class Nginx:
    """nginx that reads each body, answers 200 and stores nothing."""

    def __init__(self, folder):
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        kinds = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        settings = folder / "nginx.conf"
        settings.write_text(f"""
            daemon off; worker_processes auto; pid {folder}/pid; error_log {folder}/errors crit;
            events {{ worker_connections 1024; }}
            http {{
              access_log off; {kinds} keepalive_requests 10000000; client_max_body_size 1m;
              server {{ listen 127.0.0.1:{port}; location / {{ return 200; }} location = /nothing {{ return 404; }} }}
            }}""")
        self.url = f"http://127.0.0.1:{port}"
        self.process = start(["nginx", "-p", folder, "-e", folder / "errors", "-c", settings])
        for _ in range(100):
            with closing(socket.socket()) as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("nginx did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)


def post_all(bench, url, bodies, connections, seconds):
    """Posts every body once and returns the result of wrk, which always runs for the full time."""
    threads = 2
    said = run("wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "-s", bench.here / "peers" / "notifications.lua", url,
               env=environment(BODIES=str(bodies), THREADS=str(threads)))
    told = json.loads(said.splitlines()[-1])
    if not told["whole"]:
        raise RuntimeError(f"wrk did not post every body in {seconds} s: {told}")
    if told["refused"]:
        raise RuntimeError(f"{told['refused']} notifications were not answered with 200")
    return told
