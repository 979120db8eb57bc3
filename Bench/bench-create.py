"""Measures `latchkey accounts create` at the default cost, beside Debian's `argon2` command, which hashes twice: it
verifies the hash that it has made.

usage: scripts/bench create [BINARY] [ROUNDS]      (.build/release/latchkey, 21)
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_table import interleaved, seconds, table

PASSWORD = b"correct horse battery\n"


def main(binary, rounds):
    binary = os.path.realpath(binary)
    with tempfile.TemporaryDirectory(prefix="bench-create-") as folder:
        environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        argon2 = ["argon2", "0123456789abcdef", "-id", "-t", "3", "-m", "16", "-p", "1", "-l", "32"]
        numbers = iter(range(10**9))

        def create():
            name = f"user{next(numbers)}"
            return [binary, "accounts", "create", name, "--email", name + "@example.org", "--password-stdin", "--quiet"]

        for unit, cpu in (("ms", False), ("CPU ms", True)):
            runs = {
                "argon2": lambda: seconds(argon2, environment, cpu, PASSWORD[:-1]),
                "latchkey accounts create": lambda: seconds(create(), environment, cpu, PASSWORD),
            }
            table("a new account", interleaved(runs, rounds), 1000, unit)


main(sys.argv[1] if len(sys.argv) > 1 else ".build/release/latchkey", int(sys.argv[2]) if len(sys.argv) > 2 else 21)
