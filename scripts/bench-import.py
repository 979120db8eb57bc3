"""Measures `latchkey accounts import` with ready-made hashes, and compares it with other ways to write the same rows.

usage: scripts/bench import [BINARY] [ROWS...]      (.build/release/latchkey, 1000 100000 1000000)

The others, if installed, with the same rows:
- Python's sqlite3 with `executemany` in one transaction: the same JSON Lines, read by Python's json, into the least table
  that a program without Latchkey would have, with two unique indexes, and with Latchkey's pragmas. It checks nothing.
- Django's `bulk_create` on SQLite, in batches of 1000, into its own user table.
- OpenLDAP's `slapadd -q`, from an LDIF file.
Each is a separate process; the store or table is created before. Rows per second are for the whole run; peak memory is the
kernel's figure for the process.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HASH = "$argon2id$v=19$m=65536,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$vN0sQNSMoXbuNK3a9ZeDAb7Wcn+2oqgXsnLvBChPpuQ"
SIZES = [1_000, 100_000, 1_000_000]

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


class Latchkey:
    def __init__(self, binary):
        self.binary = binary

    def prepare(self, folder, count):
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        subprocess.run(
            [self.binary, "accounts", "create", "first", "--email", "first@example.org", "--no-password", "--quiet"],
            env=environment, check=True, stdout=subprocess.DEVNULL)
        people = folder / "people.jsonl"
        with open(people, "w") as file:
            for number in range(count):
                name = f"person{number:07}"
                file.write(f'{{"username":"{name}","email":"{name}@example.org","password_hash":"{HASH}"}}\n')
        people.chmod(0o600)
        return environment

    def measure(self, folder, count):
        environment = self.prepare(folder, count)
        seconds, memory, _ = timed(
            [self.binary, "accounts", "import", str(folder / "people.jsonl"), "--quiet"], environment)
        return seconds, memory


def executemany(binary, folder, count):
    Latchkey(binary).prepare(folder, count)
    seconds, memory, _ = timed(
        [sys.executable, "-c", EXECUTEMANY, str(folder / "peer.sqlite"), str(folder / "people.jsonl")], dict(os.environ))
    return seconds, memory


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


def main(arguments):
    binary = ".build/release/latchkey"
    if arguments and not arguments[0].isdigit():
        binary = arguments.pop(0)
    binary = str(pathlib.Path(binary).resolve())
    sizes = [int(argument) for argument in arguments] or SIZES
    ways = {
        "latchkey": lambda folder, count: Latchkey(binary).measure(folder, count),
        "executemany": lambda folder, count: executemany(binary, folder, count),
    }
    if importlib.util.find_spec("django"):
        ways["bulk_create"] = bulk_create
    if shutil.which("slapadd") or os.access("/usr/sbin/slapadd", os.X_OK):
        ways["slapadd -q"] = slapadd
    costs = {}
    print(f"{'rows':>9}  {'by':<12}{'seconds':>9}{'rows/s':>10}{'us a row':>10}{'peak MiB':>10}  to executemany")
    for count in sizes:
        for name, measure in ways.items():
            best = None
            # The best of several runs, because other load only adds time.
            for _ in range(3 if count <= 100_000 else 1):
                folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-import-"))
                try:
                    best = min(filter(None, [best, measure(folder, count)]))
                finally:
                    shutil.rmtree(folder)
            costs[name, count] = best[0] / count
            ratio = costs[name, count] / costs["executemany", count] if ("executemany", count) in costs else None
            told = f"{ratio:.2f}" if ratio else ""
            print(
                f"{count:>9}  {name:<12}{best[0]:>9.3f}{count / best[0]:>10.0f}{best[0] / count * 1e6:>10.1f}"
                f"{best[1]:>10.0f}  {told}", flush=True)
        print(f"{'':>9}  latchkey takes {costs['latchkey', count] / costs['executemany', count]:.2f} of executemany's time")
    if len(sizes) > 1:
        ratio = costs["latchkey", sizes[-1]] / costs["latchkey", sizes[0]]
        print(f"a row at {sizes[-1]} costs {ratio:.2f} of what it costs at {sizes[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
