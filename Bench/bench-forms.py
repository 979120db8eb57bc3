"""Compares `latchkey validate` with pydantic v2 on the same sign-up forms.

Each run is a complete process on one core: it decodes and validates the lines and writes the answers to a file. The two
alternate, so that other load on the machine affects both. Python needs pydantic 2 (`pip install pydantic`); without it,
only latchkey is measured.
"""

import importlib.util
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

RUNS = 15
LINES = 100_000
SEED = 20_260_101

FORM = {
    "form": "setup",
    "title": "Sign up",
    "submit": "Sign up",
    "fields": [
        {"apiKey": "email_field", "placeholder": "Email", "rules": [{"rule": "email"}]},
        {"apiKey": "username", "placeholder": "Username", "rules": [{"rule": "username"}]},
        {
            "apiKey": "password",
            "placeholder": "Password",
            "secret": True,
            "rules": [{"rule": "minLength", "length": 9}],
        },
    ],
}

# The fastest of the variants that we tried, all with pydantic's JSON parser and patterns (Rust's regex). It parses the
# line, validates its values with a typed dictionary, builds the responses by hand and writes them immediately. Models
# take a third longer. So does validating the whole line, and then the errors do not contain the line's ID.
PYDANTIC = r'''
import sys
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json
from typing_extensions import TypedDict

LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
EMAIL = r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:" + LABEL + r"\.)+[A-Za-z]{2,63}$"
USERNAME = r"^[\p{L}\p{Nd}!-?\[-~]{1,64}$"
MESSAGES = {
    "email_field": ("email", "Enter a valid e-mail address, such as ada@example.org"),
    "username": (
        "username", "Use letters and digits from one alphabet, without spaces or @"),
    "password": ("min_length", "Password must be at least 9 characters"),
}
ERRORS = {
    field: f'{{"field":"{field}","code":"{code}","message":"{message}"}}'
    for field, (code, message) in MESSAGES.items()
}


class Values(TypedDict):
    email_field: Annotated[str, Field(pattern=EMAIL)]
    username: Annotated[str, Field(pattern=USERNAME)]
    password: Annotated[str, Field(min_length=9)]


def main() -> None:
    validate = TypeAdapter(Values).validator.validate_python
    answers = []
    add = answers.append
    for text in sys.stdin.buffer:
        line = from_json(text)
        try:
            validate(line["values"])
            add(f'{{"id":{line["id"]},"valid":true,"errors":[]}}\n')
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            errors = ",".join([ERRORS[one["loc"][0]] for one in found])
            add(f'{{"id":{line["id"]},"valid":false,"errors":[{errors}]}}\n')
    sys.stdout.write("".join(answers))


main()
'''

NAMES = (
    "ada grace alan edsger barbara donald niklaus margaret tony frances john kathleen ken dennis radia leslie"
    " anna björn chloé dmitri elif fatou gábor hanna ivan jana katarína lucía müller noor oluwaseun"
).split()
WORDS = "correct horse battery staple orange window river paper cloud summer velvet anchor lemon glass".split()
HOSTS = "example.org example.com mail.example.net students.example.edu example.co.uk post.example".split()


def line(number: int, source: random.Random) -> str:
    """Returns a form; one in four is invalid: an incomplete address, a name with a space, or a short password."""
    name, other = source.choice(NAMES), source.choice(NAMES)
    plain = name.encode("ascii", "ignore").decode()
    values = {
        "email_field": f"{plain}.{source.randrange(10_000)}@{source.choice(HOSTS)}",
        "username": f"{name}{source.randrange(100_000)}",
        "password": " ".join(source.choices(WORDS, k=source.randint(2, 5))),
    }
    match source.randrange(16):
        case 0:
            values["email_field"] = f"{plain}@{other[:1]}"
        case 1:
            values["username"] = f"{name} {other}"
        case 2:
            values["password"] = source.choice(WORDS)[:8]
        case 3:
            values = {"email_field": plain, "username": "", "password": ""}
    return json.dumps({"id": number, "values": values}, ensure_ascii=number % 50 == 0, separators=(",", ":"))


def write_lines(path: str, count: int) -> None:
    source = random.Random(SEED)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(line(number, source) + "\n")


def run(command: list[str], source: str, target: str, environment: dict[str, str]) -> float:
    """Returns the duration of a complete run in seconds."""
    with open(source, "rb") as given, open(target, "wb") as answers:
        start = time.perf_counter()
        status = subprocess.call(command, stdin=given, stdout=answers, env=environment)
        elapsed = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command[0]} ended with {status}")
    return elapsed


def peak(command: list[str], source: str, count: int, environment: dict[str, str]) -> int:
    """Returns the peak memory of a run in KiB. wait4(2) would include Python's memory before the exec."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert child.stdin and child.stdout

    def feed() -> None:
        with open(source, "rb") as given:
            shutil.copyfileobj(given, child.stdin)
        child.stdin.flush()

    feeder = threading.Thread(target=feed)
    feeder.start()
    for _ in range(count):  # while its input is open, the process waits after the last response
        child.stdout.readline()
    with open(f"/proc/{child.pid}/status", encoding="ascii") as status:
        memory = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    feeder.join()
    child.stdin.close()
    child.wait()
    return memory


def figures(times: list[float]) -> str:
    return f"min {min(times) * 1000:.0f}, median {statistics.median(times) * 1000:.0f}, max {max(times) * 1000:.0f} ms"


def verdicts(path: str) -> list[bool]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(answer)["valid"] for answer in file]


def main() -> None:
    binary = os.path.realpath(sys.argv[1])
    core = str(max(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory() as folder:
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        for key in ("PYTHONPATH", "VIRTUAL_ENV"):
            if key in os.environ:
                environment[key] = os.environ[key]
        forms = os.path.join(folder, "forms")
        os.mkdir(forms)
        with open(os.path.join(forms, "setup.json"), "w", encoding="utf-8") as file:
            json.dump(FORM, file)
        script = os.path.join(folder, "pydantic-lines.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(PYDANTIC)
        lines = os.path.join(folder, "lines.jsonl")
        write_lines(lines, LINES)
        pinned = ["taskset", "-c", core]
        ours = pinned + [binary, "validate", "--form", "setup", "--forms", forms, "--jsonl"]
        theirs = pinned + [sys.executable, script]
        targets = [os.path.join(folder, name) for name in ("ours", "theirs")]
        has_pydantic = importlib.util.find_spec("pydantic") is not None
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(RUNS + 1):
            times[0].append(run(ours, lines, targets[0], environment))
            if has_pydantic:
                times[1].append(run(theirs, lines, targets[1], environment))
        our_times, their_times = times[0][1:], times[1][1:]  # the first run starts with cold caches
        print(f"{LINES} lines, {RUNS} runs each, core {core}")
        print(f"latchkey:  {figures(our_times)}")
        if has_pydantic:
            import pydantic

            print(f"pydantic:  {figures(their_times)} ({pydantic.VERSION})")
            medians = statistics.median(our_times) / statistics.median(their_times)
            print(f"ratio:     {medians:.3f} of medians, {min(our_times) / min(their_times):.3f} of minima")
            pairs = list(zip(verdicts(targets[0]), verdicts(targets[1]), strict=True))
            print(f"verdicts:  {sum(left == right for left, right in pairs)} of {len(pairs)} agree,"
                  f" {sum(left for left, _ in pairs)} valid")
        for count in (10_000, 100_000, 1_000_000):
            write_lines(lines, count)
            print(f"{count:>9} lines: {peak(ours[len(pinned):], lines, count, environment)} KiB peak")


main()
