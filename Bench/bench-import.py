"""Measures `latchkey accounts import`, and compares it with other ways to write the same rows.

usage: scripts/bench import [BINARY] [ROWS...]      (.build/release/latchkey, 1000 100000 1000000)

Rows with ready-made hashes. The others, if installed, with the same rows:
- Python's sqlite3 with `executemany` in one transaction: the same JSON Lines, read by Python's json, into the least table
  that a program without Latchkey would have, with two unique indexes, and with Latchkey's pragmas. It checks nothing.
- Django's `bulk_create` on SQLite, in batches of 1000, into its own user table.
- OpenLDAP's `slapadd -q`, from an LDIF file.
Each is a separate process; the store or table is created before.

Then 300 rows with plain passwords, at the default cost. The other is argon2-cffi: it hashes the same passwords with the
same parameters on two threads and writes nothing.

The time is that of the whole process; peak memory is the kernel's figure for it.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from bench_table import interleaved, table

HASH = "$argon2id$v=19$m=65536,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$vN0sQNSMoXbuNK3a9ZeDAb7Wcn+2oqgXsnLvBChPpuQ"
SIZES = [1_000, 100_000, 1_000_000]
PASSWORDS = 300

EXECUTEMANY = r'''
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.executescript(
    "PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA; PRAGMA journal_mode = DELETE;"
    "CREATE TABLE account (id INTEGER PRIMARY KEY, username TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE,"
    " password_hash TEXT, created_at INTEGER NOT NULL) STRICT")
def rows():
    with open(sys.argv[2]) as file:
        for line in file:
            row = json.loads(line)
            yield row["username"], row["email"], row["password_hash"], 1767225600000
database.execute("BEGIN IMMEDIATE")
database.executemany("INSERT INTO account (username, email, password_hash, created_at) VALUES (?, ?, ?, ?)", rows())
database.execute("COMMIT")
'''

DJANGO = r'''
import sys, time
path, count, password_hash = sys.argv[1], int(sys.argv[2]), sys.argv[3]
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": path}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"], USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.contrib.auth.models import User
users = [
    User(username=f"person{number:07}", email=f"person{number:07}@example.org", password=password_hash)
    for number in range(count)]
start = time.monotonic()
User.objects.bulk_create(users, batch_size=1000)
print(time.monotonic() - start)
'''

ARGON2_CFFI = r'''
import json, sys
from concurrent.futures import ThreadPoolExecutor
import argon2
hasher = argon2.PasswordHasher(time_cost=3, memory_cost=65536, parallelism=1)
with open(sys.argv[1]) as file, ThreadPoolExecutor(2) as threads:
    list(threads.map(hasher.hash, (json.loads(line)["password"] for line in file)))
'''


def timed(command, environment, **options):
    """Returns the seconds a process took, its peak memory in MiB, and its output."""
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[:4]} ended with {process.returncode}: {errors.decode()}")
    return time.monotonic() - start, usage.ru_maxrss / 1024, output


class Rows:
    """A folder with a store of one account and a file of rows, and the ways to write them."""

    def __init__(self, binary, folder, count, secret=lambda number: f'"password_hash":"{HASH}"'):
        self.binary, self.folder = binary, folder
        self.file = folder / "people.jsonl"
        with open(self.file, "w") as file:
            for number in range(count):
                name = f"person{number:07}"
                file.write(f'{{"username":"{name}","email":"{name}@example.org",{secret(number)}}}\n')
        self.file.chmod(0o600)

    def imported(self):
        home = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        try:
            subprocess.run(
                [self.binary, "accounts", "create", "first", "--email", "first@example.org", "--no-password", "--quiet"],
                env=environment, check=True, stdout=subprocess.DEVNULL)
            return timed([self.binary, "accounts", "import", str(self.file), "--quiet"], environment)[:2]
        finally:
            shutil.rmtree(home)

    def python(self, program, database=False):
        """Runs a Python program with the paths of a new database, if it writes one, and of the file."""
        path = self.folder / "peer.sqlite"
        paths = [str(path)] if database else []
        try:
            return timed([sys.executable, "-c", program, *paths, str(self.file)], dict(os.environ))[:2]
        finally:
            path.unlink(missing_ok=True)


def bulk_create(folder, count):
    environment = dict(os.environ)
    _, memory, output = timed([sys.executable, "-c", DJANGO, str(folder / "django.sqlite"), str(count), HASH], environment)
    return float(output), memory


def slapadd(folder, count):
    for name in ("database", "configuration"):
        (folder / name).mkdir()
    configuration = folder / "slapd.conf"
    schemas = "/etc/ldap/schema"
    configuration.write_text(
        f"include {schemas}/core.schema\ninclude {schemas}/cosine.schema\ninclude {schemas}/inetorgperson.schema\n"
        "modulepath /usr/lib/ldap\nmoduleload back_mdb\ndatabase mdb\nmaxsize 8589934592\nsuffix \"dc=example,dc=org\"\n"
        f"directory {folder}/database\nindex uid,mail eq\n")
    people = folder / "people.ldif"
    with open(people, "w") as file:
        file.write("dn: dc=example,dc=org\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n")
        for number in range(count):
            name = f"person{number:07}"
            file.write(
                f"dn: uid={name},dc=example,dc=org\nobjectClass: inetOrgPerson\nuid: {name}\ncn: {name}\nsn: {name}\n"
                f"mail: {name}@example.org\nuserPassword: {{ARGON2}}{HASH}\n\n")
    seconds, memory, _ = timed(
        [shutil.which("slapadd") or "/usr/sbin/slapadd", "-q", "-f", str(configuration), "-l", str(people)], dict(os.environ))
    return seconds, memory


def in_folder(measure):
    """Calls `measure` with an empty folder that exists meanwhile."""
    with tempfile.TemporaryDirectory(prefix="bench-import-") as folder:
        return measure(pathlib.Path(folder))


def show(title, samples, count):
    """Prints samples of (seconds, peak MiB), and returns the least time of each."""
    times = {name: [seconds for seconds, _ in values] for name, values in samples.items()}
    best = {name: min(values) for name, values in times.items()}
    extra = {
        "us a row": {name: f"{seconds / count * 1e6:.1f}" for name, seconds in best.items()},
        "peak MiB": {name: f"{max(memory for _, memory in values):.0f}" for name, values in samples.items()},
    }
    table(title, times, 1, "s", extra)
    return best


def main(arguments):
    binary = ".build/release/latchkey"
    if arguments and not arguments[0].isdigit():
        binary = arguments.pop(0)
    binary = str(pathlib.Path(binary).resolve())
    sizes = [int(argument) for argument in arguments] or SIZES
    costs = {}
    for count in sizes:
        with tempfile.TemporaryDirectory(prefix="bench-import-") as folder:
            rows = Rows(binary, pathlib.Path(folder), count)
            ways = {"executemany": lambda: rows.python(EXECUTEMANY, database=True), "latchkey": rows.imported}
            if importlib.util.find_spec("django"):
                ways["bulk_create"] = lambda: in_folder(lambda folder: bulk_create(folder, count))
            if shutil.which("slapadd") or os.access("/usr/sbin/slapadd", os.X_OK):
                ways["slapadd -q"] = lambda: in_folder(lambda folder: slapadd(folder, count))
            # Other load only adds time, so the shortest of several runs is the most meaningful.
            samples = interleaved(ways, 5 if count <= 100_000 else 1, warmups=0)
            costs[count] = show(f"{count} rows with hashes", samples, count)["latchkey"] / count
    if len(sizes) > 1:
        print(f"A row of {sizes[-1]} costs {costs[sizes[-1]] / costs[sizes[-2]]:.2f} of a row of {sizes[-2]}.\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="bench-import-") as folder:
        rows = Rows(binary, pathlib.Path(folder), PASSWORDS, lambda number: f'"password":"quaint {number} harbour lamps"')
        ways = {"latchkey": rows.imported}
        # Python mistakes the folder argon2 next to this file for a package without an origin.
        if getattr(importlib.util.find_spec("argon2"), "origin", None):
            ways = {"argon2-cffi": lambda: rows.python(ARGON2_CFFI)} | ways
        else:
            print("argon2-cffi is not installed: nothing to compare plain passwords with.\n", flush=True)
        # These run only once, because each takes a long time.
        show(f"{PASSWORDS} rows with passwords", interleaved(ways, 1, warmups=0), PASSWORDS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
