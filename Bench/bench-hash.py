"""Measures the CPU time of one Argon2id hash: Debian's libargon2, libsodium, and each level of Latchkey's kernel.

usage: scripts/bench hash [ROUNDS]      (9)

The implementations alternate in one process, whose memory stays mapped; then each computes the first hash of a process.
"""

import collections
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_table import interleaved, seconds, table

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Memory in KiB, passes and lanes.
COSTS = [
    (8, 3, 1), (32, 3, 4), (1024, 3, 1), (1024, 3, 4), (19456, 2, 1), (19456, 2, 4), (65536, 3, 1), (65536, 3, 4),
    (131072, 3, 1), (131072, 3, 4),
]


def title(memory, passes, lanes):
    amount = f"{memory // 1024} MiB" if memory >= 1024 else f"{memory} KiB"
    return f"{amount}, t={passes}, p={lanes}"


def main(rounds):
    with tempfile.TemporaryDirectory(prefix="bench-hash-") as folder:
        program = folder + "/bench"
        sources = [*(ROOT / "Sources/C/CArgonKernel").glob("*.c"), ROOT / "Bench/argon2/bench.c"]
        subprocess.run(
            ["clang", "-std=c2x", "-O2", f"-I{ROOT}/Sources/C/CArgonKernel/include", *map(str, sources), "-o", program,
             "-lsodium", "-largon2"], check=True)
        for cost in COSTS:
            # Small hashes need more rounds for a steady median.
            count = rounds if cost[0] >= 65536 else 4 * rounds
            lines = subprocess.run(
                [program, *map(str, cost), str(count), "2"], check=True, capture_output=True, text=True).stdout
            samples = collections.defaultdict(list)
            for line in lines.splitlines():
                name, milliseconds = line.split("\t")
                samples[name].append(float(milliseconds))
            table(title(*cost), samples, unit="CPU ms")
        for cost in [(65536, 3, 1), (65536, 3, 4)]:
            names = subprocess.run(
                [program, "32", "1", str(cost[2]), "1", "0"], check=True, capture_output=True, text=True).stdout
            command = [program, *map(str, cost), "1", "0"]
            processes = {
                name: lambda name=name: seconds([*command, name], cpu=True)
                for name in [line.split("\t")[0] for line in names.splitlines()]}
            table("a process with one hash, " + title(*cost), interleaved(processes, rounds), 1000, "CPU ms")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
