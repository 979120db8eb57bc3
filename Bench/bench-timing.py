#!/usr/bin/env python3
"""Checks that the response time of a failed login does not reveal why it failed (S-39), and that of a request for a code
not whether there is an account (S-145).

    scripts/bench timing [BINARY] [--rounds N]   every kind of failure, with login --batch; at most three runs
    scripts/bench timing --paced [BINARY] [...]  one process for each login, with one slow stored hash (S-38)
    scripts/bench timing --self-test             a build without the work for unknown names: the check must detect it
    scripts/bench timing --recovery [BINARY]     requests for codes, with flushes that take 15 ms (needs a C compiler)
    scripts/bench timing --http [BINARY] [...]   logins over HTTP, for an account and for an unknown name; --hash cheap or
                                                 expensive: for an account with an imported hash; --load N: while N other
                                                 clients log in
    scripts/bench timing --openid [BINARY] [...] token requests with a wrong secret, and of an unknown application
    scripts/bench timing --judge FILE            evaluate times measured earlier; - is standard input

For each pair of kinds, the medians must differ by at most 1 ms, or 3 % of the greater one if that is more, and the area
under the curve (Mann-Whitney: how often a response of one kind takes longer than one of the other) must be between 0.45
and 0.55. The check passes if two of three runs do. --record FILE saves the times of the last run, in seconds, as JSON.

--recovery compares pairs of requests, one for an account and one for an unknown address in random order: the time from
the start of the process to its last flush, its CPU time, and the time until it ends. It passes if all requests flush
equally often, and if for each time Wilcoxon's signed ranks of the differences are within 3.3 standard deviations.

--http compares pairs of failed logins over one connection to `latchkey serve`, with a wrong password for an account and
with an unknown name, in random order: the time until the response, and the CPU time of the service until then. It passes
if the signed ranks of both are within 3.3 standard deviations. No name is tried more than four times, and each request
comes from another address behind a trusted proxy, so that no throttle takes part. It also prints how often each kind is
answered after one, two or more intervals of the delay. The CPU time counts only without --load, and only for hashes like
new ones, because the cost of others is an estimate.

--openid compares pairs of token requests in the same way (S-212; mistake 14 of peers): one with a wrong secret for an
application, and one for an application that does not exist.
"""

import argparse
import base64
import collections
import http.client
import itertools
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from bench_store import PASSWORD, Store

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST_MEDIAN = 0.001  # seconds
SHARE_OF_MEDIAN = 0.03
AREA = (0.45, 0.55)
# The number of attempts for each name. One more would be throttled.
ATTEMPTS_PER_NAME = 4
# A bcrypt hash with cost 10 that matches none of the tried passwords, and the cost that latchkey stores with it.
FOREIGN = ("$2b$10$" + "e" * 53, 50)
# What --hash puts into the accounts: bcrypt with the lowest cost, and with one that takes longer than a new hash.
HASHES = {"usual": {}, "cheap": {"hash": ("$2b$04$" + "e" * 53, 1)}, "expensive": {"hash": ("$2b$12$" + "e" * 53, 194)}}


# Statistics


def area(one, other):
    """Returns Mann-Whitney's U divided by its maximum: 0.5 if neither takes longer; ties count half."""
    ranked = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = 0.0
    start = 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        ranks += (start + end + 1) / 2 * sum(which == 0 for _, which in ranked[start:end])
        start = end
    return (ranks - len(one) * (len(one) + 1) / 2) / (len(one) * len(other))


def judge(samples):
    """Prints the medians and each pair. Returns whether all pairs are alike."""
    medians = {name: statistics.median(times) for name, times in samples.items()}
    width = max(map(len, samples))
    for name, times in samples.items():
        print(f"  {name:{width}}  {len(times):5} responses, median {medians[name] * 1000:8.3f} ms")
    worst, told = 0, 0
    for one, other in itertools.combinations(samples, 2):
        apart = abs(medians[one] - medians[other])
        bound = max(LEAST_MEDIAN, SHARE_OF_MEDIAN * max(medians[one], medians[other]))
        auc = area(samples[one], samples[other])
        alike = apart <= bound and AREA[0] <= auc <= AREA[1]
        told += not alike
        worst = max(worst, abs(auc - 0.5))
        mark = "" if alike else "   DIFFERENT"
        print(f"    {one:{width}}  {other:{width}}  apart {apart * 1000:7.3f} ms, AUC {auc:.3f}{mark}")
    print(f"  {told} pairs differ; the AUC farthest from 0.5 is off by {worst:.3f}", flush=True)
    return told == 0


# Measurement


# The kinds of failure, each with the columns of its accounts (None: no accounts) and the password to try.
CLASSES = {
    "unknown name": (None, "wrong password"),
    "wrong password": ({}, "wrong password"),
    "empty password": ({}, ""),
    "too long": ({}, "x" * 1025),
    "disabled": ({"state": 1}, PASSWORD),
    "address not verified": ({"verify_by": 2**40}, PASSWORD),
    "no password": ({"password_hash": None, "hash_kind": None}, "wrong password"),
    "refused scheme": ({"hash": ("$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/", 0)}, "wrong password"),
    "refused cost": ({"hash": ("$2b$31$" + "e" * 53, 0)}, "wrong password"),
    "key missing": (
        {"hash": ("$sealed$v=1,k=0123456789abcdef$" + "A" * 32 + "$" + "A" * 64, 0)}, "wrong password"),
}
PACED = {
    "unknown name": CLASSES["unknown name"],
    "wrong password": CLASSES["wrong password"],
    "imported hash": ({"hash": FOREIGN}, "wrong password"),
}


def attempts(classes, rounds):
    """Returns the accounts to create, and rounds that contain each kind once, shuffled."""
    random_names = random.Random()
    accounts, names = {}, {}
    for kind, (own, _) in classes.items():
        names[kind] = [f"{random_names.getrandbits(40):010x}" for _ in range(-(-rounds // ATTEMPTS_PER_NAME))]
        if own is not None:
            accounts |= {name: own for name in names[kind]}
    plan = []
    for number in range(rounds):
        kinds = list(classes)
        random_names.shuffle(kinds)
        plan += [(kind, names[kind][number % len(names[kind])], classes[kind][1]) for kind in kinds]
    return accounts, plan


def pin(cores):
    """Pins this process, or a child before it starts, to the given cores, with a higher priority if allowed."""
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    except PermissionError:
        pass


def over_pipes(binary, rounds):
    """Measures one process, which gets each line after the response to the previous one."""
    floor = {"LATCHKEY_HASH_MEMORY": "19456", "LATCHKEY_HASH_ITERATIONS": "2"}
    store = Store(binary, floor)
    cores = sorted(os.sched_getaffinity(0))
    own, theirs = ({cores[0]}, {cores[-1]}) if len(cores) > 1 else (set(), set())
    child = subprocess.Popen(
        [binary, "login", "--batch", "-", "--jobs", "1", "--json"], env=store.environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, preexec_fn=lambda: pin(theirs))
    pin(own)
    try:
        def ask(name, password):
            line = json.dumps({"username": name, "password": password}).encode() + b"\n"
            start = time.perf_counter()
            child.stdin.write(line)
            child.stdin.flush()
            answer = child.stdout.readline()
            elapsed = time.perf_counter() - start
            if json.loads(answer).get("code") != "invalid_credentials":
                sys.exit(f"{name}: {answer!r}")
            return elapsed

        for number in range(20):
            ask(f"warm-up {number}", "wrong password")
        # The accounts come only now, because a process that finds the key missing at its start would exit.
        accounts, plan = attempts(CLASSES, rounds)
        store.add(accounts)
        samples = {kind: [] for kind in CLASSES}
        for kind, name, password in plan:
            samples[kind].append(ask(name, password))
        return samples
    finally:
        child.stdin.close()
        child.wait()
        pin(set(cores))
        store.remove()


def by_processes(binary, rounds):
    """Measures one process for each login, from start to end."""
    store = Store(binary, {"LATCHKEY_HASH_MEMORY": "19456", "LATCHKEY_HASH_ITERATIONS": "2"})
    try:
        accounts, plan = attempts(PACED, rounds)
        store.add(accounts)
        samples = {kind: [] for kind in PACED}
        for kind, name, password in plan:
            start = time.perf_counter()
            ending = subprocess.run(
                [binary, "login", "--username", name, "--password-stdin"], env=store.environment,
                input=password.encode() + b"\n", capture_output=True)
            samples[kind].append(time.perf_counter() - start)
            if ending.returncode != 1:
                sys.exit(f"{kind}: {ending.stderr.decode()}")
        return samples
    finally:
        store.remove()


# Delays each flush, and reports their number and the time of the last one since the start, in microseconds.
SLOW_DISK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long start, last;
static int count;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}
static void end(void) {
    const char *path = getenv("SLOW_DISK_REPORT");
    FILE *file = path ? fopen(path, "w") : 0;
    if (!file) return;
    fprintf(file, "%d %ld", count, last - start);
    fclose(file);
}
__attribute__((constructor)) static void begin(void) {
    start = last = now();
    /* Latchkey ends without destructors. */
    at_quick_exit(end);
}
static int slowly(const char *name, int descriptor) {
    int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct timespec delay = {0, 15000000};
    nanosleep(&delay, 0);
    int result = flush(descriptor);
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    last = now();
    return result;
}
int fsync(int descriptor) { return slowly("fsync", descriptor); }
int fdatasync(int descriptor) { return slowly("fdatasync", descriptor); }
"""


def signed_ranks(pairs):
    """Returns Wilcoxon's statistic of the differences in standard deviations, and how often the first is greater."""
    differences = sorted((one - other for one, other in pairs if one != other), key=abs)
    ranks, start = 0.0, 0
    while start < len(differences):
        end = start
        while end < len(differences) and abs(differences[end]) == abs(differences[start]):
            end += 1
        ranks += (start + end + 1) / 2 * sum(value > 0 for value in differences[start:end])
        start = end
    count = len(differences)
    deviation = math.sqrt(count * (count + 1) * (2 * count + 1) / 24) or 1
    greater = sum((one > other) + (one == other) / 2 for one, other in pairs) / len(pairs)
    return (ranks - count * (count + 1) / 4) / deviation, greater


def recovery(binary, given):
    """Measures pairs of requests for a code. Returns whether they are alike."""
    store = Store(binary)
    with tempfile.TemporaryDirectory() as folder:
        library, report = folder + "/slow-disk.so", folder + "/report"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O2", "-x", "c", "-", "-o", library, "-ldl"], input=SLOW_DISK.encode(),
            check=True)
        environment = store.environment | {"LD_PRELOAD": library, "SLOW_DISK_REPORT": report}

        def ask(name):
            start = time.perf_counter()
            child = subprocess.Popen(
                [binary, "forgot-password", "--quiet", "--email", name + "@example.org"], env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            elapsed = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                sys.exit(f"{name}: status {child.returncode}")
            flushes, last = pathlib.Path(report).read_text().split()
            return int(flushes), [int(last) / 1e6, usage.ru_utime + usage.ru_stime, elapsed]

        try:
            names = [f"{random.getrandbits(40):010x}" for _ in range(2 * given.rounds + 2)]
            known, unknown = names[::2], names[1::2]
            store.add({name: {} for name in known})
            for name in (known.pop(), unknown.pop()):
                ask(name)
            results = []
            for pair in zip(known, unknown):
                order = [0, 1]
                random.shuffle(order)
                answers = {which: ask(pair[which]) for which in order}
                results.append((answers[0], answers[1]))
        finally:
            store.remove()
    if given.record:
        pathlib.Path(given.record).write_text(json.dumps(results))
    counts = [sorted({answers[which][0] for answers in results}) for which in (0, 1)]
    print(f"  {len(results)} pairs; flushes: account {counts[0]}, unknown address {counts[1]}")
    times = [(known[1], unknown[1]) for known, unknown in results]
    alike = pairs_alike(times, ["until the last flush", "CPU time", "until the end"])
    alike = alike and counts[0] == counts[1] and len(counts[0]) == 1
    print("requests for codes reveal nothing" if alike else "REQUESTS FOR CODES REVEAL ACCOUNTS")
    return alike


def pairs_alike(results, titles):
    """Prints the signed ranks of each time. Returns whether all are within 3.3 standard deviations.

    Each result has the times for an account or an application, and those for an unknown name.
    """
    alike = True
    for index, title in enumerate(titles):
        pairs = [(known[index], unknown[index]) for known, unknown in results]
        deviations, greater = signed_ranks(pairs)
        medians = [statistics.median(times) * 1000 for times in zip(*pairs)]
        alike = alike and abs(deviations) <= 3.3
        print(
            f"  {title:23} known {medians[0]:8.3f} ms, unknown {medians[1]:8.3f} ms; the known one takes longer in"
            f" {greater:.1%} of pairs, {deviations:+.1f} deviations", flush=True)
    return alike


def serve(binary, store):
    """Starts a service. Returns the process, its port and a connection to it."""
    port = random.randrange(20000, 30000)
    child = subprocess.Popen(
        [binary, "serve", "--listen", f"127.0.0.1:{port}", "--trusted-proxy", "127.0.0.1/32", "--quiet"],
        env=store.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    deadline = time.monotonic() + 30
    while connection.sock is None:
        try:
            connection.connect()
        except OSError:
            if time.monotonic() > deadline:
                sys.exit("the service does not start")
            time.sleep(0.1)
    return child, port, connection


def cpu(child):
    """The seconds that the threads of a process have run."""
    tasks = pathlib.Path(f"/proc/{child.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def over_openid(binary, given):
    """Measures pairs of refused token requests. Returns whether they are alike."""
    store = Store(binary)
    names = [f"{random.getrandbits(40):010x}" for _ in range(8)]
    kinds = names[::2], names[1::2]
    for name in kinds[0]:
        subprocess.run(
            [binary, "applications", "add", name, "--redirect", "https://app.example.org/back"], check=True,
            env=store.environment, stdout=subprocess.DEVNULL)
    child, _, connection = serve(binary, store)

    def ask(name):
        client = ".".join(["10"] + [str(random.randrange(1, 255)) for _ in range(3)])
        secret = f"{random.getrandbits(256):064x}"[:43]
        headers = {
            "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": client,
            "Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}
        before, start = cpu(child), time.perf_counter()
        connection.request("POST", "/oauth/token", "grant_type=refresh_token&refresh_token=lkr_" + "x" * 43, headers)
        response = connection.getresponse()
        answer = response.read()
        elapsed = time.perf_counter() - start
        if (response.status, json.loads(answer)["error"]) != (401, "invalid_client"):
            sys.exit(f"{name}: {answer}")
        return elapsed, cpu(child) - before

    try:
        for name in names * 50:
            ask(name)
        results = []
        for number in range(given.rounds):
            order = [0, 1]
            random.shuffle(order)
            times = {which: ask(kinds[which][number % 4]) for which in order}
            results.append((times[0], times[1]))
    finally:
        child.terminate()
        child.wait()
        store.remove()
    if given.record:
        pathlib.Path(given.record).write_text(json.dumps(results))
    alike = pairs_alike(results, ["until the response", "CPU time of the service"])
    print("token requests reveal nothing" if alike else "TOKEN REQUESTS REVEAL APPLICATIONS")
    return alike


def over_http(binary, given):
    """Measures pairs of failed logins. Returns whether they are alike."""
    store = Store(binary)
    names = [f"{random.getrandbits(40):010x}" for _ in range(2 * -(-given.rounds // ATTEMPTS_PER_NAME) + 2)]
    kinds = names[::2], names[1::2]
    store.add({name: dict(HASHES[given.hash]) for name in kinds[0]})
    interval = max(0.25, -(-2 * HASHES[given.hash].get("hash", (None, 122))[1] // 50) * 0.05)
    child, port, connection = serve(binary, store)
    ended = threading.Event()

    def log_in_meanwhile():
        other = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while not ended.is_set():
            client = ".".join(["11"] + [str(random.randrange(1, 255)) for _ in range(3)])
            body = json.dumps({"values": {"username": f"{random.getrandbits(40):010x}", "password": "wrong password"}})
            other.request(
                "POST", "/api/v1/flows/login", body, {"Content-Type": "application/json", "X-Forwarded-For": client})
            other.getresponse().read()

    def ask(name):
        client = ".".join(["10"] + [str(random.randrange(1, 255)) for _ in range(3)])
        body = json.dumps({"values": {"username": name, "password": "wrong password"}})
        before, start = cpu(child), time.perf_counter()
        connection.request(
            "POST", "/api/v1/flows/login", body, {"Content-Type": "application/json", "X-Forwarded-For": client})
        response = connection.getresponse()
        answer = json.load(response)
        elapsed = time.perf_counter() - start
        if answer.get("code") != "invalid_credentials":
            sys.exit(f"{name}: {answer}")
        return elapsed, cpu(child) - before

    try:
        for names in kinds:
            ask(names.pop())
        for _ in range(given.load):
            threading.Thread(target=log_in_meanwhile, daemon=True).start()
        results = []
        for number in range(given.rounds):
            order = [0, 1]
            random.shuffle(order)
            times = {which: ask(kinds[which][number % len(kinds[which])]) for which in order}
            results.append((times[0], times[1]))
    finally:
        ended.set()
        child.terminate()
        child.wait()
        store.remove()
    if given.record:
        pathlib.Path(given.record).write_text(json.dumps(results))
    print(f"  {len(results)} pairs, {given.hash} hashes, {given.load} other clients")
    for which, title in enumerate(["account", "unknown"]):
        steps = collections.Counter(math.ceil(pair[which][0] / interval - 0.1) for pair in results)
        print(f"  intervals until the response: {title:8}", dict(sorted(steps.items())))
    titles = ["until the response", "CPU time of the service"]
    if given.load or given.hash != "usual":
        results, titles = [tuple(times[:1] for times in pair) for pair in results], titles[:1]
    alike = pairs_alike(results, titles)
    print("logins over HTTP reveal nothing" if alike else "LOGINS OVER HTTP REVEAL ACCOUNTS")
    return alike


def runs(measure, binary, given):
    """Returns whether most runs pass; stops as soon as that is decided."""
    held = failed = 0
    while max(held, failed) <= given.runs // 2:
        print(f"run {held + failed + 1}", flush=True)
        samples = measure(binary, given.rounds)
        if given.record:
            pathlib.Path(given.record).write_text(json.dumps(samples))
        if judge(samples):
            held += 1
        else:
            failed += 1
    print("response times reveal nothing" if held > failed else "RESPONSE TIMES REVEAL THE CAUSE")
    return held > failed


def build_without_decoy():
    """Makes a debug build in a separate folder; in a release build the condition does not compile."""
    folder = ".build/timing-self-test"
    command = ["swift", "build", "--scratch-path", folder, "--product", "latchkey", "-Xswiftc", "-DLATCHKEY_SKIPS_DECOY"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    return str(ROOT / folder / "debug/latchkey")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", default=str(ROOT / ".build/release/latchkey"))
    parser.add_argument("--rounds", type=int, default=800, help="responses of each kind in a run")
    parser.add_argument("--runs", type=int, default=3, help="number of runs; most must pass")
    parser.add_argument("--record", metavar="FILE")
    parser.add_argument("--hash", choices=HASHES, default="usual", help="the accounts' hashes, with --http")
    parser.add_argument("--load", type=int, default=0, metavar="N", help="other clients at the same time, with --http")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--paced", action="store_true")
    which.add_argument("--self-test", action="store_true")
    which.add_argument("--recovery", action="store_true")
    which.add_argument("--http", action="store_true")
    which.add_argument("--openid", action="store_true")
    which.add_argument("--judge", metavar="FILE")
    given = parser.parse_args()
    if given.judge:
        text = sys.stdin.read() if given.judge == "-" else pathlib.Path(given.judge).read_text()
        return 0 if judge(json.loads(text)) else 1
    if given.self_test:
        told = not runs(over_pipes, build_without_decoy(), given)
        print("the check detects the missing work" if told else "THE CHECK DOES NOT DETECT THE MISSING WORK")
        return 0 if told else 1
    if given.recovery:
        return 0 if recovery(os.path.realpath(given.binary), given) else 1
    if given.http:
        return 0 if over_http(os.path.realpath(given.binary), given) else 1
    if given.openid:
        return 0 if over_openid(os.path.realpath(given.binary), given) else 1
    measure = by_processes if given.paced else over_pipes
    return 0 if runs(measure, os.path.realpath(given.binary), given) else 1


sys.exit(main())
