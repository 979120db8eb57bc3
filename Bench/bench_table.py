"""Measurements and tables of scripts/bench: contestants in turn, their minimum, median and maximum, and a ratio.

    samples = interleaved({"sqlite3": lambda: seconds(["sqlite3", "--version"]), "latchkey": ...}, rounds=31)
    table("start", samples, scale=1000)

The first contestant is the base: its ratio is 1. Tables are Markdown, so that `scripts/bench table` copies them to
docs/performance.md as they are.
"""

import os
import statistics
import time


def interleaved(contestants, rounds, warmups=1):
    """Calls each function once a round, so that other load on the machine meets all of them.

    Returns name -> list of what its function returned, without the warm-up rounds.
    """
    samples = {name: [] for name in contestants}
    for number in range(-warmups, rounds):
        for name, measure in contestants.items():
            value = measure()
            if number >= 0:
                samples[name].append(value)
    return samples


def table(title, samples, scale=1, unit="ms", extra={}):
    """Prints a table of samples, with the ratio of each median to the first one's.

    `scale` is multiplied with each sample, such as 1000 for seconds in ms; `extra` adds columns: header -> name -> text.
    """
    base = statistics.median(next(iter(samples.values())))
    rows = [[title, "min", "median", "max", "ratio", *extra]]
    for name, values in samples.items():
        middle = statistics.median(values)
        figures = [figure(value * scale) for value in (min(values), middle, max(values))]
        rows.append([name, *figures, f"{middle / base:.2f}", *(column.get(name, "") for column in extra.values())])
    rows[0][1:4] = [f"{header} {unit}" for header in rows[0][1:4]]
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("| " + " | ".join(cells) + " |", flush=True)
        if number == 0:
            print("|" + "-" * (widths[0] + 2) + "|" + "|".join("-" * (width + 1) + ":" for width in widths[1:]) + "|")
    print(flush=True)


def figure(value):
    """Three significant digits, but never fewer than all digits before the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def seconds(command, environment=None, cpu=False, given=b""):
    """Runs a process with a short input, and without its output. Returns its time, or its CPU time, in seconds."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    source, sink = os.pipe()
    try:
        os.write(sink, given)
        os.close(sink)
        actions = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, nothing, 1), (os.POSIX_SPAWN_DUP2, nothing, 2)]
        start = time.perf_counter()
        process = os.posix_spawnp(command[0], command, environment or os.environ, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        elapsed = time.perf_counter() - start
    finally:
        os.close(nothing)
        os.close(source)
    if status != 0:
        raise SystemExit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime if cpu else elapsed
