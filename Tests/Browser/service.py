"""A running `latchkey serve` with a separate store."""

import base64
import hmac
import json
import os
import pathlib
import re
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("LATCHKEY") or str(ROOT / ".build/debug/latchkey")
PASSWORD = "correct horse battery"


def wait(condition, seconds=20):
    """Waits for an event in another process. Returns the result of the condition."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"nothing happened within {seconds} s")
        time.sleep(0.02)
    return result


def totp(key):
    """The code that an authenticator app with this key shows (RFC 6238)."""
    tag = hmac.digest(base64.b32decode(key), struct.pack(">Q", int(time.time()) // 30), "sha1")
    start = tag[-1] & 15
    return f"{(int.from_bytes(tag[start:start + 4]) & 0x7FFFFFFF) % 1_000_000:06}"


class Service:
    """Runs until `stop`, on a free port unless one is given."""

    def __init__(self, *flags, forms=None, settings={}, port=0):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-browser-"))
        self.environment = {
            "HOME": str(self.folder), "TMPDIR": str(self.folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            # The cheapest hashes allowed.
            "LATCHKEY_HASH_MEMORY": "7168", "LATCHKEY_HASH_ITERATIONS": "5",
        }
        self.environment |= {"LATCHKEY_" + name.upper(): value for name, value in settings.items()}
        if forms:
            self.environment["LATCHKEY_FORMS"] = str(forms)
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--listen", f"127.0.0.1:{port}", *flags], env=self.environment, stdout=subprocess.PIPE,
            stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("Serving "):
            raise RuntimeError("latchkey serve did not start: " + (self.folder / "log").read_text())
        self.url = line.split()[1]

    def stop(self):
        self.process.terminate()
        status = self.process.wait(timeout=35)
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.folder)
        if status != 0:
            raise RuntimeError(f"latchkey serve ended with {status}")

    def latchkey(self, *arguments, text=""):
        """Runs a command on the same store."""
        ending = subprocess.run(
            [BINARY, *arguments], env=self.environment, input=text, capture_output=True, text=True, timeout=60)
        if ending.returncode != 0:
            raise RuntimeError(f"latchkey {' '.join(arguments)}: {ending.stderr}")
        return ending.stdout

    def create(self, name="ada"):
        """Creates an account whose password is PASSWORD."""
        self.latchkey("setup", "--username", name, "--email", f"{name}@example.org", "--password-stdin",
                      text=PASSWORD + "\n")

    def code(self, number=1):
        """The code in the newest message, once there are `number` messages."""
        return re.search(r"(?m)^\s*([A-Z0-9]{4}(?:-[A-Z0-9]{4})+)\s*$", self.message(number)).group(1)

    def link(self, number=1):
        """The path and the fragment of the link in the newest message."""
        return re.search(r"(?m)^http://[^/\s]+(/\S+#code=\S+)$", self.message(number)).group(1)

    def message(self, number):
        outbox = self.folder / ".local/share/latchkey/outbox/new"
        messages = wait(lambda: outbox.is_dir() and len(found := list(outbox.iterdir())) >= number and found)
        newest = max(messages, key=lambda path: path.stat().st_mtime_ns)
        return newest.read_text()

    def age_passwords(self):
        """Backdates the password of every session by more than the five minutes in which it is not asked for again."""
        data = self.folder / ".local/share/latchkey"
        key = (data / "keys/store.key").read_bytes()
        with sqlite3.connect(data / "accounts.sqlite", timeout=10) as store:
            for digest, account, scope, methods, created, used, authenticated, sid in store.execute(
                    "SELECT digest, id, scope, methods, session.created_at, last_used_at, authenticated_at - 301000,"
                    " sid FROM session JOIN account ON number = account").fetchall():
                # The service refuses a session that is not as it was tagged (docs/decisions/0049-tagged-rows.md).
                fields = [b"session", digest, account, [b"full", b"changePassword"][scope],
                          *(number.to_bytes(8) for number in (methods, created, used, authenticated)), sid]
                message = b"row\0" + b"".join(len(field).to_bytes(4) + field for field in fields)
                store.execute("UPDATE session SET authenticated_at = ?, tag = ? WHERE digest = ?", (
                    authenticated, hmac.digest(key, message, "sha256"), digest))
        store.close()

    def add_factor(self, name="ada"):
        """Sets up an authenticator app for an account. Returns its key and the saved codes."""
        self.latchkey("login", name, "--password-stdin", text=PASSWORD + "\n")
        begun = json.loads(self.latchkey("factors", "add", "totp", "--no-input", "--json"))
        key = begun["secret"].replace(" ", "")
        added = self.latchkey("factors", "add", "totp", "--code-stdin", "--json", text=totp(key) + "\n")
        self.await_next_code()
        return key, json.loads(added)["saved_codes"]

    def await_next_code(self):
        """Backdates the accepted codes by minutes, so that the app's next code is accepted."""
        with sqlite3.connect(self.folder / ".local/share/latchkey/accounts.sqlite", timeout=10) as store:
            store.execute("UPDATE authenticator SET last_step = last_step - 10")
        store.close()

    def requests(self):
        """The requests that the service has logged."""
        lines = (self.folder / "log").read_text().splitlines()
        records = [json.loads(line) for line in lines if line.startswith("{")]
        return [record for record in records if "route" in record]
