"""Measures the service next to Django: session checks and logins a second, CPU time, and 10,000 idle connections.

usage: scripts/bench http [BINARY] [--rounds N] [--seconds N] [--connections N] [--only verify|login|idle]
       (.build/release/latchkey, 7 rounds of 4 s, 10000 connections)

Two servers run on this machine and take turns under wrk, which has one thread, and 64 connections for session checks or
two a core for logins:
- Django: gunicorn with one worker a core, sessions in SQLite on a connection that stays open, a view that answers 204 with
  the username, and `LoginView` with Argon2id at the same cost. pip installs them into .build/bench-http.
- latchkey: `GET /verify` and `POST /api/v1/flows/login` of `latchkey serve --quiet`, because gunicorn logs no requests
  either.
- bare hashing: one `latchkey-bench hash` a core, which is the most logins that the machine can do.

"ratio in a round" is the median of the ratios in each round, which other load on the machine disturbs less.

A client may make 60 changes a minute, so each login comes from a client of its own: wrk names it in `X-Forwarded-For`.
CPU times are those of the server. In "besides the hash" they leave out the threads that hash, one a core. If wrk's thread
is busy more than 90 % of the time, wrk is the limit, and a line below the table says so.

Then 10,000 clients, each with an address of its own, ask once and hold the connection. Others must be served meanwhile, and
the memory of the service must stay flat: the script fails if it grows by more than 32 MiB.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
from bench_store import PASSWORD, Store
from bench_table import interleaved, table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["Django==5.2.8", "gunicorn==23.0.0", "argon2-cffi==25.1.0"]
ACCOUNTS = 400
CORES = os.cpu_count() or 1

SITE = r'''
import os
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["BENCH_STORE"], "CONN_MAX_AGE": None}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"], USE_TZ=True,
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF="site_bench",
    LOGIN_REDIRECT_URL="/", PASSWORD_HASHERS=["site_bench.SameArgon2"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}])
django.setup()
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.urls import path
from django.core.wsgi import get_wsgi_application

class SameArgon2(Argon2PasswordHasher):
    memory_cost, time_cost, parallelism = 65536, 3, 1

def verify(request):
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    return HttpResponse(status=204, headers={"Remote-User": request.user.username})

urlpatterns = [path("verify", verify), path("login", LoginView.as_view())]
application = get_wsgi_application()
'''

FILL = r'''
import sys
import site_bench
from django.core.management import call_command
from django.contrib.auth.models import User
from django.contrib.auth.hashers import make_password
call_command("migrate", verbosity=0)
shared = make_password(sys.argv[2])
User.objects.bulk_create([User(username=f"user{n}", password=shared) for n in range(int(sys.argv[1]))])
'''

LOGIN = r'''
local count = %(first)d
function request()
    count = count + 1
    wrk.headers["X-Forwarded-For"] = string.format(
        "10.%%d.%%d.%%d", math.floor(count / 62500) %% 250, math.floor(count / 250) %% 250, count %% 250)
    return wrk.format("POST", "%(path)s", nil, string.gsub('%(body)s', "USER", "user" .. count %% %(accounts)d))
end
'''


class Server:
    """A running server on the loopback interface."""

    def __init__(self, command, environment, folder):
        self.folder, self.logins = pathlib.Path(folder), 0
        self.log = open(self.folder / "log", "wb")
        self.port = random.randrange(20000, 30000)
        self.process = subprocess.Popen(
            command(f"127.0.0.1:{self.port}"), env=environment, cwd=folder, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 30
        while self.answer("/verify").status != 401:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"a server does not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.1)

    def answer(self, path, headers={}, body=None):
        """Returns the answer without following redirections; one with status 0 if nothing listens."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        try:
            return urllib.request.build_opener(Stay).open(request, timeout=30)
        except urllib.error.HTTPError as answer:
            return answer
        except OSError:
            return argparse.Namespace(status=0)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def verify(self, seconds):
        return self.wrk("/verify", seconds, 64, self.session)

    def login(self, seconds):
        script = self.folder / "login.lua"
        script.write_text(LOGIN % {**self.form, "first": self.logins, "accounts": ACCOUNTS})
        self.logins += 100_000
        return self.wrk(self.form["path"], seconds, 2 * CORES, self.headers, "--script", script)

    def wrk(self, path, seconds, connections, headers, *more):
        """Returns requests a second, the server's CPU seconds a request with all threads and without those that hash, and
        the share of the time in which wrk was busy. Any refused request ends the benchmark."""
        command = [
            "wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "20s",
            *more]
        for header in headers.items():
            command += ["--header", ": ".join(header)]
        before, own = self.cpu(), os.times()
        output = subprocess.run(
            [*command, f"http://127.0.0.1:{self.port}{path}"], check=True, capture_output=True, text=True).stdout
        after, then = self.cpu(), os.times()
        self.settle()
        if "Non-2xx" in output or "Socket errors" in output:
            raise SystemExit(f"refused: {output}")
        count = int(re.search(r"(\d+) requests in", output)[1])
        threads = sorted((value - before.get(thread, 0) for thread, value in after.items()), reverse=True)
        busy = then.children_user + then.children_system - own.children_user - own.children_system
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
        return rate, sum(threads) / count, sum(threads[CORES:]) / count, busy / (then.elapsed - own.elapsed)

    def settle(self):
        """Waits until the server no longer works on requests that wrk has abandoned."""
        while True:
            before = sum(self.cpu().values())
            time.sleep(0.1)
            if sum(self.cpu().values()) - before < 0.005:
                return

    def cpu(self):
        """Returns the CPU seconds of each thread of the server and its children, from the scheduler's exact count."""
        times, processes = {}, [self.process.pid]
        while processes:
            for task in pathlib.Path(f"/proc/{processes.pop()}/task").iterdir():
                try:
                    times[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
                    processes += map(int, (task / "children").read_text().split())
                except OSError:
                    pass  # the thread has ended
        return times

    def memory(self):
        """Returns the bytes in memory, and the most that ever were."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return tuple(1024 * int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "VmHWM"))


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Django(Server):
    def __init__(self):
        folder = tempfile.mkdtemp(prefix="bench-http-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        pathlib.Path(folder, "site_bench.py").write_text(SITE)
        tools = ROOT / ".build/bench-http/bin"
        if not (tools / "gunicorn").exists():
            subprocess.run([sys.executable, "-m", "venv", tools.parent], check=True)
            subprocess.run([tools / "pip", "install", "--quiet", *PACKAGES], check=True)
        environment = {"PATH": "/usr/bin:/bin", "BENCH_STORE": folder + "/db.sqlite", "PYTHONPATH": folder}
        subprocess.run([tools / "python", "-c", FILL, str(ACCOUNTS), PASSWORD], env=environment, check=True, cwd=folder)
        super().__init__(lambda address: [
            tools / "gunicorn", "site_bench:application", "--workers", str(CORES), "--threads", "4", "--bind", address,
            "--keep-alive", "60"], environment, folder)
        values = {"username": "USER", "password": PASSWORD, "csrfmiddlewaretoken": "c" * 32}
        self.form = {"path": "/login", "body": urllib.parse.urlencode(values)}
        self.headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": "csrftoken=" + "c" * 32}
        answer = self.answer("/login", self.headers, self.form["body"].replace("USER", "user1").encode())
        self.session = {"Cookie": "sessionid=" + re.search(r"sessionid=(\w+)", str(answer.headers))[1]}

    def stop(self):
        super().stop()
        shutil.rmtree(self.folder)


class Latchkey(Server):
    def __init__(self, binary, *flags):
        self.store = Store(binary)
        self.store.add({f"user{n}": {} for n in range(ACCOUNTS)})
        super().__init__(
            lambda address: [binary, "serve", "--quiet", "--listen", address, *flags], self.store.environment,
            self.store.folder)
        values = {"username": "USER", "password": PASSWORD}
        self.form = {"path": "/api/v1/flows/login", "body": json.dumps({"values": values})}
        self.headers = {"Content-Type": "application/json"}
        answer = self.answer(self.form["path"], self.headers, self.form["body"].replace("USER", "user1").encode())
        self.session = {"Authorization": "Bearer " + json.load(answer)["token"]}

    def stop(self):
        super().stop()
        self.store.remove()


def bare(binary, seconds):
    """Returns hashes a second of one process a core, and the CPU seconds of one hash; nothing else is as in `wrk`."""
    count = max(5, round(seconds / 0.07))
    command = [pathlib.Path(binary).parent / "latchkey-bench", "hash", "--count", str(count), "--json"]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(CORES)]
    results = [json.loads(process.communicate()[0]) for process in processes]
    cpu = statistics.mean(result["cpu_seconds"] for result in results) / count
    return sum(count / result["seconds"] for result in results), cpu, 0, 0


def compare(title, contestants, rounds):
    samples = interleaved(contestants, rounds)
    rates, cpu, rest, busy = (
        {name: [sample[index] for sample in each] for name, each in samples.items()} for index in range(4))
    first = next(iter(rates.values()))
    paired = {
        name: f"{statistics.median(rate / base for rate, base in zip(each, first)):.2f}" for name, each in rates.items()}
    table(title, rates, unit="a second", extra={"ratio in a round": paired})
    table(title + ", CPU each", cpu, 1_000_000, "us")
    if "bare hashing" in samples:
        shown = {"a bare hash": cpu["bare hashing"], "latchkey besides the hash": rest["latchkey"]}
        share = statistics.median(rest["latchkey"]) / statistics.median(cpu["bare hashing"])
        table(
            title + ", CPU each", shown, 1_000_000, "us",
            {"of a hash": {"latchkey besides the hash": f"{share:.1%}"}})
    busiest = {name: statistics.median(each) for name, each in busy.items() if any(each)}
    print("wrk's thread was busy " + ", ".join(f"{share:.0%} of the time with {name}" for name, share in busiest.items()))
    limited = [name for name, share in busiest.items() if share > 0.9]
    if limited:
        print(f"wrk is the limit for {' and '.join(limited)}: that server could do more.")
    print(flush=True)


def idle(binary, count):
    """Holds connections from as many addresses. Ends the script if others are refused or the memory grows."""
    least = count + 1000
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < least:
        resource.setrlimit(resource.RLIMIT_NOFILE, (least, max(least, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    server = Latchkey(binary)
    request = b"GET /verify HTTP/1.1\r\nHost: a\r\n\r\n"
    kept, selector = [], selectors.DefaultSelector()
    counts, times, memory = collections.Counter(), [], {}

    def hold(source):
        each = socket.create_connection(("127.0.0.1", server.port), timeout=30, source_address=(source, 0))
        each.send(request)
        each.setblocking(False)
        kept.append(each)
        selector.register(each, selectors.EVENT_READ)

    def ask():
        begin = time.monotonic()
        with socket.create_connection(("127.0.0.1", server.port), timeout=30, source_address=("127.0.0.2", 0)) as other:
            other.sendall(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            status = other.recv(4096)[9:12].decode()
        times.append(time.monotonic() - begin)
        if status != "401":
            sys.exit(f"another client got {status or 'no answer'} while {len(kept)} connections were held")

    def read():
        for key, _ in selector.select(0):
            try:
                data = key.fileobj.recv(4096)
            except OSError:
                data = b""
            counts[{b"": "were closed later", b"401": "got an answer", b"503": "got 503"}[data[9:12]]] += 1
            if not data:
                selector.unregister(key.fileobj)

    try:
        for _ in range(300):
            ask()
        memory["before"] = server.memory()[0]
        for number in range(100):
            hold("127.0.8.1")
        time.sleep(1)
        read()
        print(f"100 connections from one address: {counts['got an answer']} got an answer.")
        if counts["got an answer"] != 64:
            sys.exit("one address must have 64 connections")
        counts.clear()
        for number in range(count):
            hold(f"127.1.{number // 200}.{1 + number % 200}")
            if number % 50 == 0:
                ask()
            if number == count // 2:
                memory["half way"] = server.memory()[0]
            read()
        for _ in range(50):
            ask()
        read()
        memory["with all"], memory["at most"] = server.memory()
        descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        for each in kept:
            each.close()
        time.sleep(2)
        ask()
        memory["after"] = server.memory()[0]
    finally:
        server.stop()
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    print(f"{count} connections from as many addresses: {kinds}; {descriptors} descriptors are open.")
    print(f"{len(times)} requests of another client meanwhile: all answered, within {max(times) * 1000:.0f} ms.")
    print("Resident bytes: " + ", ".join(f"{value:,} {when}" for when, value in memory.items()) + ".")
    if memory["at most"] > memory["before"] + 32 * 2**20:
        sys.exit("the memory grows with the connections")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", default=str(ROOT / ".build/release/latchkey"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--only", choices=["verify", "login", "idle"])
    given = parser.parse_args()
    binary = os.path.realpath(given.binary)
    if not shutil.which("wrk"):
        sys.exit("bench http needs wrk: apt-get install wrk")
    servers = {}
    try:
        if given.only != "idle":
            servers["Django"] = Django()
            servers["latchkey"] = Latchkey(binary, "--trusted-proxy", "127.0.0.0/8")
        for kind, title in (("verify", "session checks"), ("login", "logins")):
            if given.only not in (None, kind):
                continue
            contestants = {
                name: lambda server=server: getattr(server, kind)(given.seconds) for name, server in servers.items()}
            if kind == "login":
                # Each measurement follows that of its peer, because other load changes slowly.
                contestants = {"bare hashing": lambda: bare(binary, given.seconds), **dict(reversed(contestants.items()))}
            compare(title, contestants, given.rounds)
    finally:
        for server in servers.values():
            server.stop()
    if given.only in (None, "idle"):
        idle(binary, given.connections)


main()
