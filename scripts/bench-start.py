"""Measures the time from exec to the first prompt on a pty: minimum, median and maximum of 30 runs."""

import os
import pty
import select
import statistics
import sys
import tempfile
import time

RUNS = 30


def first_prompt(binary: str, environment: dict[str, str]) -> float:
    """Returns the seconds until the terminal shows the label of the first field."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.execve(binary, [binary], environment)
    seen = b""
    while b"Email" not in seen:
        ready, _, _ = select.select([terminal], [], [], 5)
        if not ready:
            sys.exit(f"no prompt within 5 s; seen: {seen!r}")
        seen += os.read(terminal, 65536)
    elapsed = time.perf_counter() - start
    os.write(terminal, b"\x03")
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass  # the other end is closed
    os.waitpid(child, 0)
    os.close(terminal)
    return elapsed


def main() -> None:
    binary = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "HOME": folder,
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        first = first_prompt(binary, environment)
        times = [first_prompt(binary, environment) for _ in range(RUNS)]
    print(f"new store:      {first * 1000:.1f} ms")
    figures = [min(times), statistics.median(times), max(times)]
    print("existing store: min {:.1f}, median {:.1f}, max {:.1f} ms".format(*(t * 1000 for t in figures)))


main()
