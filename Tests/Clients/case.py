"""What the tests of applications share: a service with two groups and an account, and programs on this machine."""

import base64
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
import urllib.parse
import urllib.request

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Browser"))

from person import Arrived, Person  # noqa: E402
from service import PASSWORD, ROOT, Service, wait  # noqa: E402

# The packages of requirements.txt.
PACKAGES = ROOT / ".build/clients/python"


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
        self.service_port = free_port()
        self.service = Service(*self.flags(), port=self.service_port)
        self.addCleanup(self.service.stop)
        self.service.create()
        for group in ("admins", "staff"):
            self.service.latchkey("groups", "create", group)
        self.service.latchkey("groups", "add", "admins", "ada")
        self.provider = f"http://localhost:{self.service_port}"

    def flags(self):
        """The flags of the service."""
        return ()

    def metadata(self, name):
        """A value of the provider's metadata, which exists once an application was added."""
        with urllib.request.urlopen(self.provider + "/.well-known/openid-configuration", timeout=20) as response:
            return json.load(response)[name]

    def endpoints(self):
        """The metadata as variables for programs without discovery."""
        return {name.upper(): self.metadata(name) for name in (
            "issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")}

    def person(self, stop=None, answer="allow", user="ada", **values):
        return Person(user, PASSWORD, stop, answer, **values)

    def tokens(self, client, secret, back, scope):
        """Logs in to an application that only stands at its redirect URI, and exchanges the code."""
        query = {"client_id": client, "redirect_uri": back, "response_type": "code", "scope": scope, "state": "x"}
        with self.assertRaises(Arrived) as arrival:
            self.person(back).visit(
                self.metadata("authorization_endpoint") + "?" + urllib.parse.urlencode(query), self.provider)
        fields = {
            "grant_type": "authorization_code", "code": arrival.exception.parameters["code"], "redirect_uri": back}
        basic = base64.b64encode(f"{client}:{secret}".encode()).decode()
        request = urllib.request.Request(
            self.metadata("token_endpoint"), urllib.parse.urlencode(fields).encode(),
            {"Authorization": "Basic " + basic})
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)

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

    def start(self, *command, port, environment={}):
        """Starts a program, and waits until it listens on the port. It ends with the test."""
        log = open(self.folder / "log", "w+", encoding="utf-8")
        process = subprocess.Popen(
            [str(word) for word in command], env=os.environ | {"PYTHONPATH": str(PACKAGES)} | environment, stdout=log,
            stderr=log, start_new_session=True)

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
