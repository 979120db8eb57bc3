"""A temporary store for scripts/bench."""

import os
import random
import shutil
import sqlite3
import subprocess
import tempfile

PASSWORD = "correct horse battery"


class Store:
    """A temporary store, in memory if possible, because disk noise would hide small differences."""

    def __init__(self, binary, cost={}):
        memory = "/dev/shm"
        self.folder = tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None)
        self.binary = binary
        self.environment = {"HOME": self.folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **cost}
        self.path = self.folder + "/.local/share/latchkey/accounts.sqlite"
        given = ["--username", "first", "--email", "first@example.org", "--password-stdin"]
        subprocess.run(
            [binary, "setup", "--quiet", *given], input=PASSWORD.encode() + b"\n", env=self.environment, check=True,
            stdout=subprocess.DEVNULL)
        with sqlite3.connect(self.path) as database:
            self.hash, self.milliseconds = database.execute(
                "SELECT password_hash, hash_milliseconds FROM account").fetchone()

    def remove(self):
        shutil.rmtree(self.folder)

    def add(self, rows):
        """Adds accounts with the given columns: name -> {column: value}."""
        columns = {
            "id": None, "username": None, "username_typed": None, "email": None, "email_typed": None,
            "state": "active", "created_at": 0, "updated_at": 0, "must_change_password": 0,
            "password_hash": self.hash, "hash_milliseconds": self.milliseconds, "verify_by": None,
        }
        database = sqlite3.connect(self.path, timeout=30)
        with database:
            for name, own in rows.items():
                address = name + "@example.org"
                row = columns | {
                    "id": "%08x-0000-4000-8000-%012x" % (random.getrandbits(32), random.getrandbits(48)),
                    "username": name, "username_typed": name, "email": address, "email_typed": address,
                } | own
                marks = ", ".join("?" * len(row))
                database.execute(f"INSERT INTO account ({', '.join(row)}) VALUES ({marks})", list(row.values()))
        database.close()
