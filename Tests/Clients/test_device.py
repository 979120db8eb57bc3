"""The example for a command-line program, which logs its user in with a device code."""

import json
import re
import subprocess
import sys

from case import FOLDER, ClientCase

PROGRAM = FOLDER.parents[1] / "Examples/Integrations/device.py"


class Device(ClientCase):
    def test_device(self):
        """A command-line program logs its user in with a device code"""
        self.add("tool", "--public", "--grant", "device")
        account = json.loads(self.service.latchkey("accounts", "show", "ada", "--json"))["account"]["id"]
        for answer, expected in (
                ("allow", (f"Hello ada {account}\n", "", 0)),
                ("deny", ("", "The user has refused, or may not use this application\n", 1))):
            process = subprocess.Popen(
                [sys.executable, PROGRAM, self.provider, "tool"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True)
            self.addCleanup(process.kill)
            match = re.fullmatch(r"Open (\S+) and enter (\S+)\n", process.stdout.readline())
            person = self.person(answer=answer)
            person.visit(f"{match[1]}?user_code={match[2]}", self.provider)
            output, problem = process.communicate(timeout=60)
            self.assertEqual((output, problem, process.returncode), expected)
