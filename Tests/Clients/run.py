"""Runs the tests of applications: `run.py [NAME…]`. LATCHKEY is the program under test."""

import pathlib
import sys
import time
import unittest

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))


class Result(unittest.TextTestResult):
    """Prints a line for each test."""

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def stopTest(self, test):
        failed = any(failed is test for failed, _ in self.failures + self.errors)
        skipped = next((f": skipped, {reason}" for skipped, reason in self.skipped if skipped is test), "")
        took = time.monotonic() - self.began
        self.stream.writeln(f"{'✗' if failed else '✓'} {test.shortDescription()} ({took:.1f} s){skipped}")
        super().stopTest(test)


def main():
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in sys.argv[1:]] or None
    tests = loader.discover(str(FOLDER))
    if not tests.countTestCases():
        sys.exit("run.py: no test has such a name")
    result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=Result).run(tests)
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
