"""What the tests of applications share: a service with two groups and an account, and programs on this machine."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Browser"))

from person import Person  # noqa: E402
from service import PASSWORD, Service, wait  # noqa: E402


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class ClientCase(unittest.TestCase):
    """Each test has its own service and folder."""

    def setUp(self):
        # Servers that change their user read this folder.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-client-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.service = Service()
        self.addCleanup(self.service.stop)
        self.service.create()
        for group in ("admins", "staff"):
            self.service.latchkey("groups", "create", group)
        self.service.latchkey("groups", "add", "admins", "ada")
        port = self.service.url.rstrip("/").rsplit(":", 1)[1]
        self.provider = f"http://localhost:{port}"

    def metadata(self, name):
        """A value of the provider's metadata, which exists once an application was added."""
        with urllib.request.urlopen(self.provider + "/.well-known/openid-configuration", timeout=20) as response:
            return json.load(response)[name]

    def person(self, stop=None, answer="allow"):
        return Person("ada", PASSWORD, stop, answer)

    def add(self, name, *flags):
        """Adds an application. Returns its secret, if it is not public."""
        return json.loads(self.service.latchkey("applications", "add", name, *flags, "--json")).get("client_secret")

    def fill(self, template, **values):
        """Copies a file of this folder, with the values in place of their @NAMES@."""
        values |= {"FOLDER": self.folder, "ISSUER": self.provider}
        text = re.sub("@([A-Z_]+)@", lambda match: str(values[match[1]]), (FOLDER / template).read_text())
        path = self.folder / template
        path.write_text(text)
        return path

    def start(self, *command, port, **options):
        """Starts a program, and waits until it listens on the port. It ends with the test."""
        log = open(self.folder / "log", "w+", encoding="utf-8")
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **options)

        def end():
            if process.poll() is None:
                os.killpg(process.pid, 15)
            process.wait(timeout=20)
            log.close()

        self.addCleanup(end)

        def listens():
            if process.poll():
                raise AssertionError(f"{command[0]} ended: {(self.folder / 'log').read_text()[-2000:]}")
            with socket.socket() as client:
                return client.connect_ex(("127.0.0.1", port)) == 0

        wait(listens)
