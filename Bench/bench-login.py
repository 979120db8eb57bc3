"""Measures what a login costs besides its hash, and compares it with other ways to do the same.

usage: scripts/bench login [BINARY] [FOLDER...]      (.build/release/latchkey, memory and disk: /dev/shm, /var/tmp)

Each account has an Argon2id hash of 8 KiB, so that the hash takes almost no time. 500 logins run in one process, each
to an account of its own; the cost of two logins is subtracted, and with it the start of the process. The contestants
take turns:
- sqlite3: Python's sqlite3 with the two commits that a login needs: a booked attempt, then its settlement and a record.
  The same pragmas as Latchkey, but no hash, no checks and no chain of records. No store with these promises can cost
  much less.
- Django, if it and argon2-cffi are installed: `authenticate` and `login` with the same hash on SQLite. It has no
  throttle and no records, and its commits lack the last flush (`synchronous = FULL`).
- latchkey: `login --batch`.
With strace installed, the system calls and flushes of a login follow.
"""

import importlib.util
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from bench_table import interleaved, table

PASSWORD = "correct horse battery"
HASH = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0MTZieQ$1paR3XJo/+nN+W3rUKfYWzXimDDwQVfDx2LUtvZZuHA"
LOGINS = 500
TRACED = 100
# The number of logins that every run contains. Their cost is subtracted.
FEW = 2
ROUNDS = 7

SQLITE = r'''
import os, sqlite3, sys
folder, count = sys.argv[1], int(sys.argv[2])
path = folder + "/commits.sqlite"
is_new = not os.path.exists(path)
database = sqlite3.connect(path, isolation_level=None)
database.executescript(
    "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA synchronous = EXTRA; PRAGMA journal_mode = DELETE;")
if is_new:
    database.executescript("""
        CREATE TABLE account (id TEXT PRIMARY KEY, username TEXT UNIQUE, password_hash TEXT);
        CREATE TABLE throttle (account_id TEXT PRIMARY KEY, failures INTEGER, last_at INTEGER) WITHOUT ROWID;
        CREATE TABLE audit (sequence INTEGER PRIMARY KEY, time INTEGER, record TEXT, hash BLOB);""")
    database.executemany(
        "INSERT INTO account VALUES (?, ?, ?)", ((f"{n:036}", f"user{n}", "x" * 90) for n in range(500)))
for number in range(count):
    database.execute("BEGIN IMMEDIATE")
    account, _ = database.execute(
        "SELECT id, password_hash FROM account WHERE username = ?", (f"user{number}",)).fetchone()
    database.execute("INSERT INTO throttle VALUES (?, 1, ?)", (account, number))
    database.execute("COMMIT")
    database.execute("BEGIN IMMEDIATE")
    database.execute("DELETE FROM throttle WHERE account_id = ?", (account,))
    database.execute("INSERT INTO audit (time, record, hash) VALUES (?, ?, ?)", (number, "x" * 180, bytes(32)))
    database.execute("COMMIT")
'''

DJANGO = r'''
import os, sys
folder, count, password, password_hash = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
path = folder + "/django.sqlite"
is_new = not os.path.exists(path)
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": path}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"], USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", SECRET_KEY="x" * 50, PASSWORD_HASHERS=["__main__.SmallArgon2"])
django.setup()
from django.contrib.auth.hashers import Argon2PasswordHasher
class SmallArgon2(Argon2PasswordHasher):
    time_cost, memory_cost, parallelism = 1, 8, 1
from django.contrib.auth import authenticate, login
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.http import HttpRequest
if is_new:
    call_command("migrate", verbosity=0)
    User.objects.bulk_create([
        User(username=f"user{n}", email=f"user{n}@example.org", password="argon2" + password_hash) for n in range(500)])
for number in range(count):
    request = HttpRequest()
    request.session = SessionStore()
    user = authenticate(request, username=f"user{number}", password=password)
    login(request, user)
    request.session.save()
'''


class Contestant:
    def __init__(self, command, environment, lines=False):
        self.command, self.environment, self.lines = command, environment, lines

    def run(self, count, tracer=[]):
        """Logs in `count` times. Returns the milliseconds of CPU and of wall time."""
        given = "".join(
            json.dumps({"username": f"user{number}", "password": PASSWORD}) + "\n" for number in range(count))
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        result = subprocess.run(
            [*tracer, *self.command(count)], input=given.encode() if self.lines else b"", env=self.environment,
            capture_output=True)
        elapsed, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if result.returncode != 0:
            sys.exit(f"{self.command(count)[0]} ended with {result.returncode}: {result.stderr.decode()}")
        if self.lines and json.loads(result.stdout.splitlines()[-1])["succeeded"] != count:
            sys.exit("a login failed")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cpu * 1000, elapsed * 1000

    def cost(self):
        """Returns the milliseconds of CPU and of wall time of one login."""
        few, all = self.run(FEW), self.run(LOGINS)
        return tuple((more - less) / (LOGINS - FEW) for less, more in zip(few, all))

    def calls(self, folder):
        """Returns the system calls of one login, by name."""
        counts = []
        for count in (FEW, TRACED):
            summary = folder + "/calls"
            self.run(count, ["strace", "-f", "-qq", "-c", "-U", "calls,name", "-o", summary])
            rows = [line.split() for line in pathlib.Path(summary).read_text().splitlines()]
            counts.append({row[1]: int(row[0]) for row in rows if len(row) == 2 and row[0].isdigit()})
        return {name: (number - counts[0].get(name, 0)) / (TRACED - FEW) for name, number in counts[1].items()}


def latchkey(binary, folder):
    environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    people = pathlib.Path(folder, "people.jsonl")
    people.touch(mode=0o600)
    people.write_text("".join(
        json.dumps({"username": f"user{n}", "email": f"user{n}@example.org", "password_hash": HASH}) + "\n"
        for n in range(LOGINS)))
    first = ["accounts", "create", "first", "--email", "first@example.org", "--no-password"]
    for arguments in (first, ["accounts", "import", str(people)]):
        subprocess.run([binary, *arguments, "--quiet"], env=environment, check=True, stdout=subprocess.DEVNULL)
    return Contestant(lambda count: [binary, "login", "--batch", "-", "--no-rehash", "--json"], environment, lines=True)


def contestants(binary, folder):
    python = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    answer = {"sqlite3": Contestant(lambda count: [sys.executable, "-c", SQLITE, folder, str(count)], python)}
    if importlib.util.find_spec("django") and importlib.util.find_spec("argon2"):
        answer["Django"] = Contestant(
            lambda count: [sys.executable, "-c", DJANGO, folder, str(count), PASSWORD, HASH], python)
    answer["latchkey"] = latchkey(binary, folder)
    return answer


def main(arguments):
    binary = str(pathlib.Path(arguments[0] if arguments else ".build/release/latchkey").resolve())
    places = arguments[1:] or [place for place in ("/dev/shm", "/var/tmp") if os.access(place, os.W_OK)]
    for place in places:
        folder = tempfile.mkdtemp(prefix="bench-login-", dir=place)
        try:
            measured = contestants(binary, folder)
            costs = interleaved({name: each.cost for name, each in measured.items()}, ROUNDS)
            for title, index in (("CPU", 0), ("wall", 1)):
                chosen = {name: [cost[index] for cost in each] for name, each in costs.items()}
                table(f"login, {place}, {title}", chosen)
            if place == places[0] and shutil.which("strace"):
                calls = {name: each.calls(folder) for name, each in measured.items()}
        finally:
            shutil.rmtree(folder)
    if shutil.which("strace"):
        flushes = ("fsync", "fdatasync")
        print("| a login | system calls | flushes | openat | pwrite64 |\n|---|--:|--:|--:|--:|")
        for name, each in calls.items():
            total = sum(number for call, number in each.items() if call != "total")
            flushed = sum(each.get(call, 0) for call in flushes)
            figures = [total, flushed, each.get("openat", 0), each.get("pwrite64", 0)]
            print(f"| {name} | " + " | ".join(f"{number:.1f}" for number in figures) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
