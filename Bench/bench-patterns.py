"""Measures latchkey on 4 KiB with patterns that never end in backtracking engines. Argument: the binary."""

import json
import subprocess
import sys
import time

PATTERNS = [
    "(a+)+$", "(a+)+b", "([a-zA-Z]+)*b", "(a|aa)+b", "(a|a?)+b", "(.*a){20}b", "(a|a)*b", "(a*)*b", "(a*)*(a*)*b",
    "(.*)*b", "(.*.*.*.*.*.*)*b", "(.*)(.*)(.*)(.*)(.*)[b-z]", "(a?){500}a{500}b", "((a?){30}){30}b", "a*a*a*a*a*a*b",
    "(.{0,500}){2}b", "(([a-z])+.)+[A-Z]([a-z])+", r"(\w+\s?)*b", "([a-z]{0,900})b", r"(\pL+|a+|\w+)+!",
]
TEXT = "a" * 4095 + "\x7f"


def main():
    program = subprocess.Popen(
        [sys.argv[1], "validate", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    slowest = 0
    for pattern in PATTERNS:
        line = {"id": 1, "rule": "regex", "args": {"pattern": pattern}, "value": TEXT}
        line = json.dumps(line).encode() + b"\n"
        times = []
        # The first request compiles the pattern.
        for _ in range(10):
            start = time.perf_counter()
            program.stdin.write(line)
            program.stdin.flush()
            answer = json.loads(program.stdout.readline())
            times.append((time.perf_counter() - start) * 1000)
            if answer.get("valid") is not False:
                sys.exit(f"{pattern}: {answer}")
        slowest = max(slowest, min(times[1:]))
        print(f"{pattern:32} first {times[0]:7.2f} ms, then {min(times[1:]):6.2f} ms")
    program.stdin.close()
    program.wait()
    print(f"the slowest of {len(PATTERNS)}: {slowest:.2f} ms")


main()
