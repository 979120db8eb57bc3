"""Compares a form of 30 fields in the terminal with the same 30 fields in questionary and prompt_toolkit.

For each: the time from exec to the first prompt, the processor time and output bytes of one key, the processor time of two
idle seconds, and the resident memory. Runs alternate, so that other load on the machine affects all. Python needs
questionary (`pip install questionary`) or prompt_toolkit (Debian: python3-prompt-toolkit); a missing one is skipped.
"""

import importlib.util
import json
import os
import pty
import select
import statistics
import sys
import tempfile
import time

RUNS = 15
KEYS = 200
FIELDS = 30
LABEL = b"Label 0"

QUESTIONARY = f"""
import questionary
questionary.form(**{{f"field_{{i}}": questionary.text(f"Label {{i}}", validate=lambda text: len(text) >= 2)
                    for i in range({FIELDS})}}).ask()
"""

PROMPT_TOOLKIT = f"""
from prompt_toolkit import PromptSession
from prompt_toolkit.validation import Validator
session = PromptSession(validator=Validator.from_callable(lambda text: len(text) >= 2))
for i in range({FIELDS}):
    session.prompt(f"Label {{i}} ")
"""


class Session:
    def __init__(self, command, environment):
        self.start = time.perf_counter()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execve(command[0], command, environment)
        self.seen = b""
        self.read_until(lambda: LABEL in self.seen)
        self.first_prompt = time.perf_counter() - self.start

    def read_until(self, done, deadline=10.0):
        end = time.perf_counter() + deadline
        while not done():
            left = end - time.perf_counter()
            ready, _, _ = select.select([self.terminal], [], [], max(left, 0))
            if not ready:
                sys.exit(f"nothing more within {deadline} s; seen: {self.seen[-300:]!r}")
            self.read()

    def read(self):
        piece = os.read(self.terminal, 65536)
        self.seen += piece
        # prompt_toolkit asks for the cursor position and waits for the answer.
        if b"\x1b[6n" in piece:
            os.write(self.terminal, b"\x1b[1;1R")

    def settle(self):
        """Reads until the terminal is quiet."""
        while select.select([self.terminal], [], [], 0.02)[0]:
            self.read()

    def processor(self):
        """Returns the processor time of all threads in seconds."""
        total = 0
        for thread in os.listdir(f"/proc/{self.child}/task"):
            with open(f"/proc/{self.child}/task/{thread}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def resident(self):
        with open(f"/proc/{self.child}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024

    def key(self, key):
        before = len(self.seen)
        os.write(self.terminal, key)
        self.read_until(lambda: len(self.seen) > before)
        self.settle()

    def end(self):
        os.write(self.terminal, b"\x03")
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:
            pass  # the other end is closed
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def measured(command, environment):
    session = Session(command, environment)
    session.settle()
    # The value is long enough for the rule, so that no hint appears and disappears with each key.
    session.key(b"xx")
    processor, seen = session.processor(), len(session.seen)
    for number in range(KEYS):
        session.key(b"x" if number % 2 == 0 else b"\x7f")
    figures = {
        "first prompt, ms": session.first_prompt * 1000,
        "a key, ms of processor": (session.processor() - processor) / KEYS * 1000,
        "a key, bytes": (len(session.seen) - seen) / KEYS,
    }
    processor = session.processor()
    time.sleep(2)
    figures["2 s idle, ms of processor"] = (session.processor() - processor) * 1000
    figures["resident, MB"] = session.resident()
    session.end()
    return figures


def main():
    binary = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        fields = [
            {"apiKey": f"field_{i}", "placeholder": f"Label {i}", "rules": [{"rule": "minLength", "length": 2}]}
            for i in range(FIELDS)
        ]
        form = os.path.join(folder, "form.json")
        with open(form, "w") as file:
            json.dump({"form": "trial", "title": "Thirty", "submit": "Done", "fields": fields}, file)
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        rivals = {"latchkey": [binary, "forms", "try", form]}
        for name, module, text in [
            ("questionary", "questionary", QUESTIONARY), ("prompt_toolkit", "prompt_toolkit", PROMPT_TOOLKIT)
        ]:
            if importlib.util.find_spec(module):
                rivals[name] = [sys.executable, "-c", text]
            else:
                print(f"{name} is not installed: skipped")
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        runs = {name: [] for name in rivals}
        for _ in range(RUNS):
            for name, command in rivals.items():
                runs[name].append(measured(command, environment))
    for figure in runs["latchkey"][0]:
        print(figure)
        own = statistics.median(run[figure] for run in runs["latchkey"])
        for name in rivals:
            median = statistics.median(run[figure] for run in runs[name])
            ratio = f"   latchkey has {own / median:.3f} of it" if name != "latchkey" and median else ""
            print(f"  {name:<15} median {median:8.2f}   max {max(run[figure] for run in runs[name]):8.2f}{ratio}")


main()
