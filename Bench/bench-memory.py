#!/usr/bin/env python3
"""Lets 500 processes log in to one store at once (S-27) and prints their exit statuses and the peak memory of those that
were hashing. Fails if a status is not 0 (success), 75 (no slot for hashing within 5 s) or 69 (store locked for 5 s), or if
the memory exceeds one hash for each core, or as many as fit into a quarter of the available memory, by more than 64 MiB.

    scripts/bench memory [BINARY] [COUNT]
"""

import collections
import os
import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from bench_store import PASSWORD, Store

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/latchkey")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 500
MEMORY = 65536  # KiB for one hash
SPARE = 65536  # KiB


def available():
    """Returns the available KiB of the machine or of this process's control group."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    most = int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    try:
        return min(most, int(pathlib.Path("/sys/fs/cgroup/memory.max").read_text()) // 1024)
    except (FileNotFoundError, ValueError):
        return most


def anonymous(pid):
    """Returns the private memory of a process in KiB; 0 after it has ended."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


store = Store(BINARY)
try:
    # Each process has its own account, because many logins to one account would be throttled before any hashing.
    names = [f"user{number}" for number in range(COUNT)]
    store.add({name: {} for name in names})
    word = store.folder + "/password"
    descriptor = os.open(word, os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(descriptor, PASSWORD.encode() + b"\n")
    os.close(descriptor)
    slots = available() // 4 // MEMORY
    started = time.monotonic()
    running = []
    for name in names:
        # Each process also has its own session.
        environment = store.environment | {"XDG_STATE_HOME": f"{store.folder}/{name}"}
        command = [BINARY, "login", "--store", store.path, "--username", name, "--password-file", word]
        running.append(
            subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    most = at_once = 0
    ends = collections.Counter()
    while running:
        sizes = [size for process in running if (size := anonymous(process.pid)) > MEMORY // 4]
        most, at_once = max(most, sum(sizes)), max(at_once, len(sizes))
        still = []
        for process in running:
            if process.poll() is None:
                still.append(process)
            else:
                ends[process.returncode] += 1
        running = still
        time.sleep(0.005)
finally:
    store.remove()
print(f"{COUNT} logins in {time.monotonic() - started:.1f} s")
for status, count in sorted(ends.items()):
    print(f"  status {status}: {count}")
at_most = max(1, min(os.cpu_count() or 1, slots)) * MEMORY + SPARE
print(f"hashing at once: {at_once}, with {most / 1024:.0f} MiB together, of {at_most / 1024:.0f} MiB")
sys.exit(0 if most <= at_most and set(ends) <= {0, 69, 75} else 1)
