"""A PostgreSQL server for scripts/bench and the checks of stores in it, on a Unix socket in a folder of its own.

    with Server() as server:
        server.psql(server.database("accounts"), "SELECT 1")

It belongs to the user `postgres` if this process is root, because the server refuses to run as root. With `fsync`, so that a
commit costs what it costs in use.
"""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


def programs():
    """The folder of the newest version's programs."""
    return max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))


def user():
    """The words in front of a command that must not run as root."""
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []


class Server:
    def __init__(self, port=5432, settings=(), parent=None):
        self.folder = tempfile.mkdtemp(prefix="latchkey-postgres-", dir=parent)
        self.port, self.settings, self.process = port, list(settings), None
        self.data = self.folder + "/data"
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)

    def __enter__(self):
        self.run(["initdb", "--no-sync", "-D", self.data, "-U", "latchkey", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"])
        self.start()
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command):
        subprocess.run(
            user() + [f"{programs()}/{command[0]}", *command[1:]], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        settings = ["listen_addresses=", "max_connections=200", f"port={self.port}", *self.settings]
        words = [word for setting in settings for word in ("-c", setting)]
        log = open(self.folder + "/log", "a")
        self.process = subprocess.Popen(
            user() + [f"{programs()}/postgres", "-D", self.data, "-k", self.folder, *words], stdout=log, stderr=log,
            stdin=subprocess.DEVNULL, cwd="/")
        self.wait()

    def wait(self):
        for _ in range(1200):
            if subprocess.run(
                    [f"{programs()}/pg_isready", "-q", "-h", self.folder, "-p", str(self.port), "-U", "latchkey"]
            ).returncode == 0:
                return
            time.sleep(0.05)
        raise SystemExit(f"the server does not start: {self.folder}/log")

    def stop(self, number):
        """Sends a signal to the server and waits for its end; SIGKILL for a crash of all its processes."""
        if self.process is None:
            return
        if number == signal.SIGKILL:
            # Kills the postmaster and its children, as if the machine had lost power.
            children = subprocess.run(
                ["pgrep", "-P", str(self.postmaster())], capture_output=True, text=True).stdout.split()
            for child in [str(self.postmaster()), *children]:
                subprocess.run(["kill", "-9", child], check=False)
        else:
            os.kill(self.postmaster(), number)
        self.process.wait()
        self.process = None

    def postmaster(self):
        """setpriv becomes the server, so that both have one process id."""
        return self.process.pid

    def address(self, database):
        return f"postgresql://latchkey@/{database}?host={self.folder}&port={self.port}"

    def database(self, name):
        """Creates an empty database and returns its address."""
        subprocess.run(
            [f"{programs()}/createdb", "-h", self.folder, "-p", str(self.port), "-U", "latchkey", name], check=True)
        return self.address(name)

    def psql(self, address, statements):
        return subprocess.run(
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statements, address], check=True, capture_output=True,
            text=True).stdout
