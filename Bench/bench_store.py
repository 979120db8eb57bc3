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
            self.kind, self.hash = database.execute("SELECT hash_kind, password_hash FROM account").fetchone()

    def remove(self):
        shutil.rmtree(self.folder)

    def add(self, rows):
        """Adds accounts with the given columns: name -> {column: value}.

        The column "hash" is a whole hash and its estimated cost in milliseconds.
        """
        columns = {
            "id": None, "login_name": None, "email": None, "state": 0, "created_at": 0, "must_change_password": 0,
            "password_generation": 0, "hash_kind": self.kind, "password_hash": self.hash,
        }
        database = sqlite3.connect(self.path, timeout=30)
        with database:
            for name, own in rows.items():
                row = columns | {"id": random.randbytes(16), "login_name": name, "email": name + "@example.org"} | own
                if "hash" in row:
                    row["password_hash"], milliseconds = row.pop("hash")
                    row["hash_kind"] = database.execute(
                        "INSERT INTO hash_kind (prefix, milliseconds) VALUES ('', ?1)"
                        " ON CONFLICT DO UPDATE SET milliseconds = ?1 RETURNING number", [milliseconds]).fetchone()[0]
                    database.execute(
                        "INSERT INTO hash_kind_count (kind, lane, accounts) VALUES (?1, 0, 1)"
                        " ON CONFLICT DO UPDATE SET accounts = accounts + 1", [row["hash_kind"]])
                marks = ", ".join("?" * len(row))
                database.execute(f"INSERT INTO account ({', '.join(row)}) VALUES ({marks})", list(row.values()))
        database.close()
