"""Compares a store in PostgreSQL with the server's own tools and with an earlier commit, on a server that this script starts.

usage: scripts/bench postgres [BINARY] [ACCOUNTS] [--before COMMIT] [--only PART]      (.build/release/latchkey, 1000000)

- Logins: both transactions of each, without the hash, from 1 to 64 at once, with 0, 0.2 and 1 ms to the server and back
  (delay-proxy.c), in memory and on the disk. With --before, the same program with that commit's libraries takes turns; it is
  built in a folder of its own. Whole logins, with the hash, follow, and checks of a session while others log in.
- Look-ups by name, each in a transaction of its own; one prepared SELECT in C (bench-postgres-lookup.c).
- Import of 100,000 rows with ready hashes; `psql` with `\\copy` into an equal table.
The contestants take turns. `scripts/build latchkey latchkey-service latchkey-bench` builds what it needs.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_postgres import Server, programs
from bench_table import interleaved, seconds, table

HASH = "$argon2id$v=19$m=65536,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$vN0sQNSMoXbuNK3a9ZeDAb7Wcn+2oqgXsnLvBChPpuQ"
LOOKUPS = 50_000
ROWS = 100_000
ROUNDS = 5
LOGIN_ROUNDS = 3
PEOPLE = 100_000


def main(arguments):
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--before")
    parser.add_argument("--only", choices=["logins", "lookups", "imports"])
    given = parser.parse_args(arguments)
    numbers = [word for word in given.words if word.isdigit()]
    binaries = [word for word in given.words if not word.isdigit()]
    binary = str(pathlib.Path(binaries[0] if binaries else ".build/release/latchkey").resolve())
    size = int(numbers[0]) if numbers else 1_000_000
    home = tempfile.mkdtemp(prefix="bench-postgres-")
    environment = {"HOME": home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    try:
        if given.only in (None, "logins"):
            contestants = {"now": binary + "-bench"}
            if given.before:
                contestants = {given.before: earlier(given.before), **contestants}
            for place, settings in (("/dev/shm", ["fsync=off"]), (None, [])):
                with Server(settings=settings, parent=place) as server:
                    Logins(server, home, environment, contestants).measure("memory" if place else "disk")
        if given.only == "logins":
            return
        with Server() as server:
            tools = Tools(binary, server, home, environment)
            if given.only != "imports":
                tools.lookups(size)
            if given.only != "lookups":
                tools.imports()
    finally:
        shutil.rmtree(home)


def earlier(commit):
    """Builds today's benchmark with the libraries of an earlier commit, and returns its path."""
    folder = pathlib.Path(tempfile.gettempdir()) / f"latchkey-{commit}"
    if not folder.exists():
        folder.mkdir()
        files = subprocess.run(["git", "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", str(folder)], check=True, input=files)
    shutil.rmtree(folder / "Bench/latchkey-bench")
    shutil.copytree("Bench/latchkey-bench", folder / "Bench/latchkey-bench")
    if not list(folder.glob("Sources/*/*/Audit/AuditSealer.swift")):
        (folder / "Bench/latchkey-bench/SealingJob.swift").write_text(
            "import LatchkeyAccounts\nextension AccountService { func withSealingJob() async throws(AccountError) -> AccountService { self } }\n")
    subprocess.run(["scripts/build", "latchkey-bench"], check=True, cwd=folder)
    return str(folder / ".build/release/latchkey-bench")


class Logins:
    def __init__(self, server, home, environment, contestants):
        self.server, self.home, self.environment, self.contestants = server, home, environment, contestants
        pathlib.Path(f"{home}/config.json").write_text('{"database": {"connections": 32}}')
        os.chmod(f"{home}/config.json", 0o600)
        self.proxy = f"{home}/delay-proxy"
        subprocess.run(
            ["cc", "-O2", "-pthread", "-o", self.proxy, str(pathlib.Path(__file__).with_name("delay-proxy.c"))], check=True)

    @contextlib.contextmanager
    def delayed(self, address, milliseconds):
        """The address through a proxy that takes this time to the server and back."""
        if not milliseconds:
            yield address
            return
        folder = tempfile.mkdtemp(prefix="delay-", dir=self.home)
        proxy = subprocess.Popen(
            [self.proxy, f"{folder}/.s.PGSQL.5432", f"{self.server.folder}/.s.PGSQL.5432", str(int(milliseconds * 500))])
        try:
            yield address.replace(self.server.folder, folder)
        finally:
            proxy.kill()
            proxy.wait()

    def checks(self, address):
        """The milliseconds of a check of a session, alone and while 16 log in, 10 ms away, where the cores matter little."""
        with self.delayed(address, 10) as delayed:
            print("check of a session, 10 ms:")
            print(self.output(self.contestants["now"], "checks", delayed, 16, 500))

    def measure(self, place):
        databases = {}
        for number, (name, program) in enumerate(self.contestants.items()):
            databases[name] = self.server.database(f"logins{number}")
            self.run(program, databases[name], 1, 1)
            self.server.psql(databases[name], "VACUUM ANALYZE")
        for delay in (0, 0.2, 1) if place == "memory" else (0.2,):
            with contextlib.ExitStack() as stack:
                places = {name: stack.enter_context(self.delayed(database, delay)) for name, database in databases.items()}
                for clients in (1, 4, 16, 64):
                    samples = interleaved(
                        {name: self.rate(program, places[name], clients) for name, program in self.contestants.items()},
                        LOGIN_ROUNDS)
                    table(f"commits, {place}, {delay} ms, {clients} at once", samples, unit="/s")
        if place == "memory":
            samples = interleaved(
                {name: self.rate(program, self.server.database(f"hash{number}"), 16, ["--hash"])
                 for number, (name, program) in enumerate(self.contestants.items())}, LOGIN_ROUNDS)
            table("commits of whole logins, memory, 0 ms, 16 at once", samples, unit="/s")
            self.checks(databases["now"])

    def rate(self, program, address, clients, words=()):
        """A function that measures the commits a second; a login is two. Each call takes about three seconds."""
        count = [max(clients, 20)]

        def measure():
            figures = self.run(program, address, clients, count[0], *words)
            rate = figures["count"] / figures["seconds"]
            count[0] = max(clients, int(rate * 3))
            return rate * 2
        return measure

    def run(self, program, address, clients, count, *words):
        return json.loads(self.output(program, "logins", address, clients, count, "--json", *words))

    def output(self, program, command, address, clients, count, *words):
        return subprocess.run(
            [program, command, "--accounts", str(PEOPLE), "--clients", str(clients), "--count", str(count), *words],
            check=True, capture_output=True, text=True,
            env={**self.environment, "LATCHKEY_STORE": address, "LATCHKEY_CONFIG": f"{self.home}/config.json"}).stdout


class Tools:
    def __init__(self, binary, server, home, environment):
        self.binary, self.server, self.home, self.environment = binary, server, home, environment

    def latchkey(self, address, *words):
        subprocess.run(
            [self.binary, *words], check=True, env={**self.environment, "LATCHKEY_STORE": address},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def rows(self, name, count):
        path = f"{self.home}/{name}.jsonl"
        with open(path, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            for number in range(count):
                row = {"username": f"person{number:07}", "email": f"p{number:07}@example.org", "password_hash": HASH}
                file.write(json.dumps(row) + "\n")
        return path

    def lookups(self, size):
        address = self.server.database("lookups")
        self.latchkey(address, "accounts", "import", self.rows("lookups", size))
        self.server.psql(address, "VACUUM ANALYZE")
        for name, count in (("one", 1), ("many", LOOKUPS)):
            with open(f"{self.home}/{name}", "w") as file:
                file.writelines(f"person{random.randrange(size):07}\n" for _ in range(count))
            os.chmod(file.name, 0o600)
        flags = [word for which in ("--cflags", "--libs") for word in subprocess.run(
            ["pkg-config", which, "libpq"], check=True, capture_output=True, text=True).stdout.split()]
        peer = f"{self.home}/select"
        subprocess.run(
            ["cc", "-O2", "-o", peer, str(pathlib.Path(__file__).with_name("bench-postgres-lookup.c")), *flags], check=True)

        def microseconds(command):
            def run(names):
                return seconds(
                    ["sh", "-c", f"exec {command} < {self.home}/{names}"],
                    {**self.environment, "LATCHKEY_STORE": address})
            return lambda: (run("many") - run("one")) / LOOKUPS * 1e6

        table(
            f"look-up, {size} accounts",
            interleaved(
                {
                    "prepared SELECT in C": microseconds(f"{peer} '{address}'"),
                    "latchkey": microseconds(f"{self.binary}-bench lookup --batch -"),
                }, ROUNDS), unit="us")

    def imports(self):
        path = self.rows("imports", ROWS)
        source = self.server.database("source")
        self.latchkey(source, "accounts", "import", path)
        csv = f"{self.home}/accounts.csv"
        self.server.psql(source, f"\\copy account to '{csv}' csv")
        numbers = iter(range(1000))

        def empty():
            address = self.server.database(f"import{next(numbers)}")
            self.latchkey(address, "accounts", "create", "ada", "--email", "ada@example.org", "--no-password")
            return address

        def latchkey():
            address = empty()
            return seconds([self.binary, "accounts", "import", path], {**self.environment, "LATCHKEY_STORE": address})

        def copy():
            address = empty()
            self.server.psql(address, "DELETE FROM account")
            kinds = self.server.psql(source, "SELECT number, prefix, milliseconds FROM hash_kind").strip().split("|")
            self.server.psql(
                address, "INSERT INTO hash_kind VALUES ({}, '{}', {})".format(*kinds))
            return seconds(["psql", "-Xq", "-c", f"\\copy account from '{csv}' csv", address], dict(os.environ))

        table(f"import, {ROWS} rows", interleaved({"psql \\copy": copy, "latchkey": latchkey}, ROUNDS), unit="s")


main(sys.argv[1:])
