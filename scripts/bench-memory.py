#!/usr/bin/env python3
"""Lets 500 processes log in at once to a store of their own (S-27): how they ended, and the most memory that those which
were hashing had together. Fails where one ended otherwise than with 0 or 75, or where that was more than a hash for each
core, or for as many as fit into a quarter of the memory that there is, and 64 MiB.

    scripts/bench memory [BINARY] [COUNT]
"""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/latchkey")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 500
MEMORY = 65536  # KiB of a hash
SPARE = 65536  # KiB


def available():
    """KiB that the machine, or the control group of this process, has to give."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    most = int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    try:
        return min(most, int(pathlib.Path("/sys/fs/cgroup/memory.max").read_text()) // 1024)
    except (FileNotFoundError, ValueError):
        return most


def anonymous(pid):
    """KiB of memory of its own that a process has; 0 when it is gone."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o700)
    environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    word = folder + "/password"
    descriptor = os.open(word, os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(descriptor, b"correct horse battery\n")
    os.close(descriptor)
    given = ["--username", "ada", "--password-file", word]
    subprocess.run([BINARY, "setup", "--email", "ada@example.org", *given], env=environment, check=True)
    slots = available() // 4 // MEMORY
    started = time.monotonic()
    running = [
        subprocess.Popen([BINARY, "login", *given], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(COUNT)
    ]
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
    print(f"{COUNT} logins in {time.monotonic() - started:.1f} s")
    for status, count in sorted(ends.items()):
        print(f"  status {status}: {count}")
    at_most = max(1, min(os.cpu_count() or 1, slots)) * MEMORY + SPARE
    print(f"hashing at once: {at_once}, with {most / 1024:.0f} MiB together, of {at_most / 1024:.0f} MiB")
    sys.exit(0 if most <= at_most and set(ends) <= {0, 75} else 1)
