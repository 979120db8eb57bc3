"""Dovecot, which introspects the token that a mail client sends with OAUTHBEARER."""

import os
import shutil
import subprocess
import unittest

from case import ClientCase, free_port


class Dovecot(ClientCase):
    def log_in(self, user, token):
        """curl's exit status: 67 if the server refuses the login."""
        command = ["curl", "--silent", "--max-time", "20", "--config", "-", f"imap://127.0.0.1:{self.port}/"]
        return subprocess.run(
            command, input=f'user = "{user}"\noauth2-bearer = "{token}"\n', capture_output=True, text=True).returncode

    @unittest.skipUnless(os.geteuid() == 0, "Dovecot starts only as root")
    def test_dovecot(self):
        """Dovecot lets a mail client in with an access token, and nobody else"""
        back = "http://127.0.0.1:9/back"
        secret = self.add("mail", "--redirect", back, "--consent", "skip", "--scope", "openid,email")
        introspection = self.add("api", "--introspect", "--redirect", back)
        self.port = free_port()
        mail = self.folder / "mail"
        mail.mkdir()
        shutil.chown(mail, "mail", "mail")
        self.fill(
            "dovecot-oauth2.conf", SECRET=introspection, INTROSPECTION=self.metadata("introspection_endpoint"))
        self.start("/usr/sbin/dovecot", "-F", "-c", str(self.fill("dovecot.conf", PORT=self.port)), port=self.port)

        token = self.tokens("mail", secret, back, "openid email")["access_token"]
        self.assertEqual(self.log_in("ada", token), 0)
        self.assertEqual(self.log_in("ada", token[:-1]), 67)
        self.assertEqual(self.log_in("bob", token), 67)
