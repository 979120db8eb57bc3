"""Compares a store in PostgreSQL with the server's own tools, on a server that this script starts.

usage: scripts/bench postgres [BINARY] [ACCOUNTS]      (.build/release/latchkey, 1000000)

- Commits: the rows of a login, a session and an audit record, under the lock row; pgbench runs the same statements.
- Look-ups by name, each in a transaction of its own; one prepared SELECT in C (bench-postgres-lookup.c).
- Import of 100,000 rows with ready hashes; `psql` with `\\copy` into an equal table.
Both programs take turns. `scripts/build latchkey latchkey-service latchkey-bench` builds what it needs.
"""

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
COMMITS = 4000
LOOKUPS = 50_000
ROWS = 100_000
ROUNDS = 5

# The statements that CommitBenchmark.swift causes. The store begins and locks in one round trip, pgbench in two.
COMMIT = r"""
\set number random(1, 1000000000)
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SELECT number FROM store_lock FOR UPDATE;
SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1;
INSERT INTO audit (sequence, time, event, request_id, reason, hash, version, account_id)
    SELECT coalesce(max(sequence), 0) + 1, 1767225600000, 'session_created', '', '', decode(repeat('00', 32), 'hex'), 3,
        '00000000-0000-4000-8000-000000000000' FROM audit;
INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source, methods)
    SELECT sha256(int8send(:number + :client_id::bigint * 1000000000 + extract(epoch FROM clock_timestamp())::bigint)), number, 0,
        1767225600000, 1767225600000, 1767225600000, '', 1 FROM account ORDER BY number LIMIT 1 ON CONFLICT DO NOTHING;
INSERT INTO writer (id, last_write) VALUES (md5(:client_id::text)::uuid, 1)
    ON CONFLICT (id) DO UPDATE SET last_write = writer.last_write + 1, written_at = now();
COMMIT;
"""


def main(arguments):
    binary = ".build/release/latchkey"
    if arguments and not arguments[0].isdigit():
        binary = arguments.pop(0)
    binary = str(pathlib.Path(binary).resolve())
    size = int(arguments[0]) if arguments else 1_000_000
    home = tempfile.mkdtemp(prefix="bench-postgres-")
    environment = {"HOME": home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    try:
        with Server() as server:
            tools = Tools(binary, server, home, environment)
            tools.commits()
            tools.lookups(size)
            tools.imports()
    finally:
        shutil.rmtree(home)


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

    def commits(self):
        address = self.server.database("commits")
        self.latchkey(address, "accounts", "create", "ada", "--email", "ada@example.org", "--no-password")
        script = f"{self.home}/commit.sql"
        pathlib.Path(script).write_text(COMMIT)

        def pgbench(clients):
            def run():
                output = subprocess.run(
                    [f"{programs()}/pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-t",
                     str(COMMITS // clients), "-f", script, address], check=True, capture_output=True, text=True).stdout
                return float(re.search(r"tps = ([\d.]+)", output)[1])
            return run

        def latchkey(clients):
            def run():
                output = subprocess.run(
                    [f"{self.binary}-bench", "commits", "--clients", str(clients), "--count", str(COMMITS), "--json"],
                    check=True, capture_output=True, text=True, env={**self.environment, "LATCHKEY_STORE": address}).stdout
                figures = json.loads(output)
                return figures["count"] / figures["seconds"]
            return run

        for clients in (1, 4, 16):
            samples = interleaved({"pgbench": pgbench(clients), "latchkey": latchkey(clients)}, ROUNDS)
            table(f"commits, {clients} clients", samples, unit="/s")

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
            kinds = self.server.psql(source, "SELECT number, prefix, milliseconds, accounts FROM hash_kind").strip().split("|")
            self.server.psql(
                address, "INSERT INTO hash_kind VALUES ({}, '{}', {}, {})".format(*kinds))
            return seconds(["psql", "-Xq", "-c", f"\\copy account from '{csv}' csv", address], dict(os.environ))

        table(f"import, {ROWS} rows", interleaved({"psql \\copy": copy, "latchkey": latchkey}, ROUNDS), unit="s")


main(sys.argv[1:])
