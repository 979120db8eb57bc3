"""Runs benchmarks and writes their tables to docs/performance.md, between its markers.

usage: scripts/bench table [BINARY] [NAME...]      (.build/release/latchkey, hash start create login http openid lookup import)

A benchmark that is not named keeps its section. Run it on a machine without other work.
"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/performance.md"
# The benchmarks, each of which prints Markdown tables.
NAMES = ["hash", "start", "create", "login", "http", "openid", "lookup", "import"]


def machine():
    """Describes the processor, the system and the load."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    system = next(
        (line.split("=")[1].strip().strip('"') for line in open("/etc/os-release") if line.startswith("PRETTY_NAME")), "")
    return f"{model}, {os.cpu_count()} cores; {system}; load {os.getloadavg()[0]:.1f} before the run"


def main(arguments):
    binary = ".build/release/latchkey"
    if arguments and arguments[0] not in NAMES:
        binary = arguments.pop(0)
    for name in arguments or NAMES:
        head = f"{time.strftime('%Y-%m-%d', time.gmtime())}, `scripts/bench {name}`, {machine()}."
        command = ["scripts/bench", name] + ([] if name == "hash" else [os.path.realpath(binary)])
        output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        # The blocks as printed: tables, or lines of text.
        blocks = [
            block if block.startswith("|") else "```\n" + block + "\n```" for block in output.strip().split("\n\n")]
        section = "\n\n".join([head, *blocks])
        page = PAGE.read_text()
        pattern = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(page):
            sys.exit(f"{PAGE} has no section <!-- {name} -->")
        PAGE.write_text(pattern.sub(lambda found: f"{found[1]}\n{section}\n\n{found[2]}", page, count=1))


main(sys.argv[1:])
