"""Measures Examples/Chat with a chat of many messages: start, opening the chat, sending, and scrolling back.

Usage: scripts/bench chat [BINARY] [MESSAGES]. BINARY is .build/release/chat, MESSAGES 50000. For each step: the wall time
from the key to the frame that shows its result, in milliseconds, as minimum, median and maximum.
"""

import os
import pty
import select
import sqlite3
import statistics
import sys
import tempfile
import time

RUNS = 40
PASSWORD = b"correct horse battery staple"


class Session:
    def __init__(self, binary, environment):
        self.seen = b""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execve(binary, [binary], environment)

    def until(self, *texts, deadline=30.0):
        """Reads until one of the texts is there; returns the time in milliseconds."""
        start = time.perf_counter()
        while not any(text in self.seen for text in texts):
            if not select.select([self.terminal], [], [], max(start + deadline - time.perf_counter(), 0))[0]:
                sys.exit(f"waited in vain for {texts}; seen: {self.seen[-400:]!r}")
            self.seen += os.read(self.terminal, 65536)
        return (time.perf_counter() - start) * 1000

    def type(self, keys, *texts):
        """Types keys once the terminal is quiet, and waits for a text."""
        while select.select([self.terminal], [], [], 0.05)[0]:
            os.read(self.terminal, 65536)
        self.seen = b""
        os.write(self.terminal, keys)
        return self.until(*texts)

    def end(self):
        os.write(self.terminal, b"\x03")
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def line(name, times):
    figures = [min(times), statistics.median(times), max(times)]
    print(f"{name:<34}" + "".join(f"{figure:>9.1f}" for figure in figures))


def main(binary, count):
    folder = tempfile.mkdtemp(prefix="latchkey-chat-")
    environment = {
        "HOME": folder, "XDG_STATE_HOME": folder, "TMPDIR": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
        "TERM": "xterm-256color", "LATCHKEY_HASH_MEMORY": "7168", "LATCHKEY_HASH_ITERATIONS": "5",
    }
    session = Session(binary, environment)
    session.until(b"Create your account")
    session.type(b"ada@example.org\rada\r" + PASSWORD + b"\r" + PASSWORD + b"\r\r", b"Chats of ada")
    time.sleep(1)  # until the account is announced
    session.end()
    path = next(os.path.join(root, "chat.sqlite") for root, _, names in os.walk(folder) if "chat.sqlite" in names)
    database = sqlite3.connect(path)
    (owner,) = database.execute("SELECT id FROM contact WHERE name = 'ada'").fetchone()
    first = int(time.time() * 1000) - count * 1000
    with database:
        database.execute("UPDATE revision SET number = number + 1")
        database.executemany(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?, 1, 2)",
            ((f"m{i:08}", *(("bot", owner) if i % 2 else (owner, "bot")), first + i * 1000, f"message {i}")
             for i in range(count)))
    database.close()

    starts, opens, shown, sent, back = [], [], [], [], []
    for _ in range(5):
        start = time.perf_counter()
        session = Session(binary, environment)
        session.until(b"message %d" % (count - 1), b"Those were")
        starts.append((time.perf_counter() - start) * 1000)
        opens.append(session.type(b"\r", b"Write a message"))
        for number in range(RUNS // 5):
            # The frame that shows this message also clears the input line.
            session.type(b"one two three %d" % number, b"three %d" % number)
            shown.append(session.type(b"\r", b"Write a message"))
            session.until(b"sent", b"Those were", b"read")
        for _ in range(RUNS // 5):
            back.append(session.type(b"\x1b[5~", b"\x1b[K"))
        session.end()
    print(f"{count} messages, wall time in ms{'':<7}{'min':>9}{'median':>9}{'max':>9}")
    line("start, until the list is shown", starts)
    line("open the chat", opens)
    line("send, until the message is shown", shown)
    line("PageUp", back)


main(sys.argv[1] if len(sys.argv) > 1 else ".build/release/chat", int(sys.argv[2]) if len(sys.argv) > 2 else 50000)
