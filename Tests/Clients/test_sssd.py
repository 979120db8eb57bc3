"""SSSD's program for OpenID providers, which logs people in to machines. It requires HTTPS."""

import json
import subprocess
import urllib.parse

from case import FOLDER, ClientCase, free_port

CHILD = "/usr/libexec/sssd/oidc_child"


class SSSD(ClientCase):
    def flags(self):
        self.https = free_port()
        return "--origin", f"https://localhost:{self.https}", "--trusted-proxy", "127.0.0.1"

    def child(self, step, text=""):
        """Runs the program as SSSD does. Returns its output."""
        ending = subprocess.run(
            [CHILD, step, "--logger=stderr", "-d", "9", "--issuer-url", self.provider, "--client-id", "machine",
             "--scope", "openid profile", "--ca-db", self.folder / "ca.pem", "--user-identifier-attribute", "sub"],
            input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual(ending.returncode, 0, ending.stderr[-2000:])
        return ending.stdout

    def test_sssd(self):
        """SSSD logs a person in with a device code over HTTPS"""
        self.provider = f"https://localhost:{self.https}"
        subprocess.run([FOLDER / "authority.sh", self.folder], check=True, capture_output=True, timeout=60)
        self.start("/usr/sbin/nginx", "-e", self.folder / "error.log", "-c",
                   self.fill("nginx.conf", PORT=self.https, SERVICE=self.service_port), port=self.https)
        self.add("machine", "--public", "--grant", "device,refresh", "--scope", "openid,profile")
        account = json.loads(self.service.latchkey("accounts", "show", "ada", "--json"))["account"]["id"]

        state, shown = self.child("--get-device-code").splitlines()
        request = json.loads(shown.removeprefix("oauth2 "))
        code = urllib.parse.urlencode({"user_code": request["user_code"]})
        page = self.person(trust=self.folder / "ca.pem").visit(
            f"{request['verification_uri']}?{code}", self.provider)
        self.assertEqual(page.status, 200)
        self.assertEqual(self.child("--get-access-token", state + "\n").strip(), account)
