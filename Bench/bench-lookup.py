"""Measures account look-ups by name, beside one prepared SELECT in C on the same file (bench-lookup.c), and their growth.

usage: scripts/bench lookup [BINARY] [ACCOUNTS...]      (.build/release/latchkey, 1000 100000 1000000)

Each look-up has a transaction of its own, as a login has. 100,000 random names are asked for in one process; the time of a
process that asks for one name is subtracted, and with it the start. `scripts/build latchkey latchkey-bench` builds both.
"""

import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_store import Store
from bench_table import interleaved, seconds, table

COUNT = 100_000
ROUNDS = 9


def main(arguments):
    binary = ".build/release/latchkey"
    if arguments and not arguments[0].isdigit():
        binary = arguments.pop(0)
    binary = str(pathlib.Path(binary).resolve())
    sizes = [int(argument) for argument in arguments] or [1_000, 100_000, 1_000_000]
    medians = {}
    tools = tempfile.mkdtemp(prefix="bench-lookup-")
    peer = tools + "/select"
    source = str(pathlib.Path(__file__).with_suffix(".c"))
    subprocess.run(["cc", "-O2", "-o", peer, source, "-lsqlite3"], check=True)
    for size in sizes:
        store = Store(binary)
        try:
            store.add({f"person{number:07}": {} for number in range(size)})
            for name, count in (("one", 1), ("many", COUNT)):
                with open(f"{store.folder}/{name}", "w") as file:
                    file.writelines(f"person{random.randrange(size):07}\n" for _ in range(count))
                os.chmod(file.name, 0o600)

            def microseconds(command):
                def run(names):
                    return seconds(["sh", "-c", f"exec {command} < {store.folder}/{names}"], store.environment)
                return lambda: (run("many") - run("one")) / COUNT * 1e6

            samples = interleaved(
                {
                    "prepared SELECT in C": microseconds(f"{peer} {store.path}"),
                    "latchkey": microseconds(f"{binary}-bench lookup --batch -"),
                }, ROUNDS)
            table(f"look-up, {size} accounts", samples, unit="us")
            medians[size] = statistics.median(samples["latchkey"])
        finally:
            store.remove()
    shutil.rmtree(tools)
    if len(sizes) > 1:
        print(f"A look-up among {sizes[-1]} accounts takes {medians[sizes[-1]] / medians[sizes[0]]:.2f} of one among {sizes[0]}.")


main(sys.argv[1:])
