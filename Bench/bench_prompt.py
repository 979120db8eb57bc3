"""A program on a pty, up to its first prompt: for scripts/bench start."""

import os
import pty
import select
import sys
import time


class Prompt:
    """Starts a program, waits for its first prompt, and ends it."""

    def __init__(self, command, environment, label, patience=5):
        start = time.perf_counter()
        child, terminal = pty.fork()
        if child == 0:
            os.execvpe(command[0], command, environment)
        seen = b""
        while label not in seen:
            ready, _, _ = select.select([terminal], [], [], patience)
            if not ready:
                sys.exit(f"no prompt within {patience} s; seen: {seen!r}")
            seen += os.read(terminal, 65536)
        self.elapsed = time.perf_counter() - start
        with open(f"/proc/{child}/status") as file:
            self.resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        os.write(terminal, b"\x04" if label == b"sqlite> " else b"\x03")
        try:
            while os.read(terminal, 65536):
                pass
        except OSError:
            pass  # the other end is closed
        os.waitpid(child, 0)
        os.close(terminal)
