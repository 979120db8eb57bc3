"""A program in Go with go-oidc, the library of Kubernetes, Argo CD and oauth2-proxy."""

import os
import subprocess

from case import FOLDER, ClientCase
from person import Arrived


class Go(ClientCase):
    def test_go(self):
        """go-oidc verifies an ID token, its at_hash and userinfo, and refreshes"""
        back = "http://127.0.0.1:9/back"
        secret = self.add(
            "go", "--redirect", back, "--consent", "skip", "--scope", "openid,email,groups,offline_access")
        program = self.folder / "client"
        settings = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(self.folder / "cache")}
        subprocess.run(
            ["go", "build", "-o", program, FOLDER / "client.go"], env=os.environ | settings, check=True, timeout=300)
        process = subprocess.Popen(
            [program, self.provider, back], env=os.environ | {"CLIENT_SECRET": secret}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        with self.assertRaises(Arrived) as arrival:
            self.person(back).visit(process.stdout.readline().strip(), self.provider)
        output, _ = process.communicate(arrival.exception.url + "\n", timeout=30)
        self.assertEqual((output, process.returncode), ("groups: [admins]\nrefreshed\n", 0))
