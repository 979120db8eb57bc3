"""Runs the tests of the pages, two at a time: `run.py [NAME…]`. LATCHKEY is the program under test."""

import multiprocessing
import multiprocessing.util
import pathlib
import shutil
import sys
import time
import unittest

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from browser import PICTURES, Browser  # noqa: E402
from case import PageCase, StepFailure  # noqa: E402


class Result(unittest.TestResult):
    """Collects the failures: the name of the step, or the stack trace of an error outside of steps."""

    def __init__(self):
        super().__init__()
        self.reasons = []

    def addError(self, test, error):
        self.reasons.append(str(error[1]) if isinstance(error[1], StepFailure) else self._exc_info_to_string(error, test))

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error:
            self.addError(subtest, error)


def start():
    """Starts this worker's browser once, in the first test, so that a failure is part of the results."""
    if not hasattr(PageCase, "browser"):
        PageCase.browser = Browser()
        multiprocessing.util.Finalize(None, PageCase.browser.quit, exitpriority=10)


def run(name):
    """Runs one test. Returns its line in the report, and the steps that failed."""
    start()
    (test,) = unittest.defaultTestLoader.loadTestsFromName(name)
    result = Result()
    began = time.monotonic()
    test.run(result)
    return f"{test.shortDescription()} ({time.monotonic() - began:.1f} s)", [
        reason for reasons in result.reasons for reason in reasons.splitlines()]


def names(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from names(test)
        else:
            yield test.id()


def main():
    shutil.rmtree(PICTURES, ignore_errors=True)
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in sys.argv[1:]] or None
    tests = sorted(names(loader.discover(str(FOLDER))))
    if loader.errors or not tests:
        sys.exit("\n".join(loader.errors) or "run.py: no test has such a name")
    began = time.monotonic()
    failures = []
    with multiprocessing.Pool(2) as pool:
        for line, reasons in pool.imap_unordered(run, tests):
            report = "\n    ".join([("✗ " if reasons else "✓ ") + line, *reasons])
            failures += [report] if reasons else []
            print(report, flush=True)
        pool.close()
        pool.join()
    print(f"Pages in Chromium, {time.monotonic() - began:.0f} s:")
    # Again at the end: a log that was cut keeps its last lines.
    print(*failures, f"{len(tests) - len(failures)} passed, {len(failures)} failed", sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
