"""Measures how fast the program starts, beside Debian's sqlite3: `--version`, the first prompt on a pty, the prompt that
makes the store, and the resident memory at the prompt. Both are stripped, as they are installed.

usage: scripts/bench start [BINARY] [ROUNDS]      (.build/release/latchkey, 41)
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_prompt import Prompt
from bench_table import interleaved, seconds, table


def main(binary, rounds):
    with tempfile.TemporaryDirectory(prefix="bench-start-") as folder:
        source, binary = binary, os.path.join(folder, "latchkey")
        subprocess.run(["strip", "-o", binary, source], check=True)
        usual = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environment = usual | {"HOME": folder}
        commands = {"sqlite3": ["sqlite3"], "latchkey": [binary]}
        labels = {"sqlite3": b"sqlite> ", "latchkey": b"E-mail"}
        versions = {name: command + ["--version"] for name, command in commands.items()}
        for unit, cpu in (("ms", False), ("CPU ms", True)):
            runs = {name: lambda command=command: seconds(command, environment, cpu) for name, command in versions.items()}
            table("`--version`", interleaved(runs, rounds), 1000, unit)

        def prompt(name, home=folder):
            return Prompt(commands[name], usual | {"HOME": home}, labels[name])

        def first_prompt():
            with tempfile.TemporaryDirectory(prefix="bench-start-") as home:
                return prompt("latchkey", home)

        prompts = interleaved(
            {
                "sqlite3": lambda: prompt("sqlite3"),
                "latchkey": lambda: prompt("latchkey"),
                "latchkey, makes the store": first_prompt,
            }, rounds)
        times = {name: [prompt.elapsed for prompt in values] for name, values in prompts.items()}
        table("first prompt", times, 1000)
        sizes = {name: [prompt.resident for prompt in values] for name, values in prompts.items()}
        table("resident at the prompt", sizes, 1 / 1024, "MiB")


main(sys.argv[1] if len(sys.argv) > 1 else ".build/release/latchkey", int(sys.argv[2]) if len(sys.argv) > 2 else 41)
