"""Logout tokens from the command line, with and without a running service (Back-Channel Logout 1.0)."""

import base64
import http.server
import json
import threading
import urllib.parse

from case import ClientCase, wait
from person import Arrived


class Receiver(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.forms.append((self.path, self.headers["Content-Type"], dict(urllib.parse.parse_qsl(form))))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 200)
        self.end_headers()


def part(token, number):
    text = token.split(".")[number]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class Logout(ClientCase):
    def log_in(self, client):
        """Gives the application a grant of a new login."""
        query = urllib.parse.urlencode({
            "client_id": client, "redirect_uri": "http://127.0.0.1/cb", "response_type": "code", "scope": "openid"})
        with self.assertRaises(Arrived):
            self.person(stop="http://127.0.0.1/cb").visit(f"{self.provider}/oauth/authorize?{query}", self.provider)

    def revoke(self):
        ended = json.loads(self.service.latchkey("sessions", "revoke", "--all", "--account", "ada", "--json"))
        return {logout["client_id"]: logout["outcome"] for logout in ended["logouts"]}

    def test_logout(self):
        """sessions revoke notifies applications, with and without a running service"""
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        receiver.forms, receiver.statuses = [], []
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.shutdown)
        address = f"http://127.0.0.1:{receiver.server_port}/out?a=b"
        for client in ("wiki", "blog"):
            self.add(client, "--redirect", "http://127.0.0.1/cb", "--consent", "skip", *(
                ["--backchannel-logout-uri", address] if client == "wiki" else []))

        self.log_in("wiki")
        self.log_in("blog")
        self.assertEqual(self.revoke(), {"wiki": "confirmed"})
        path, kind, form = receiver.forms.pop()
        self.assertEqual((path, kind, list(form)), (
            "/out?a=b", "application/x-www-form-urlencoded", ["logout_token"]))
        self.assertEqual(part(form["logout_token"], 0)["typ"], "logout+jwt")
        claims = part(form["logout_token"], 1)
        self.assertEqual((claims["iss"], claims["aud"]), (self.provider, "wiki"))
        self.assertNotIn("nonce", claims)

        # The service repeats a failed attempt with the same ID.
        self.log_in("wiki")
        receiver.statuses = [503]
        self.assertEqual(self.revoke(), {"wiki": "failed"})
        wait(lambda: len(receiver.forms) == 2)
        first, second = (form["logout_token"] for _, _, form in receiver.forms)
        self.assertNotEqual(first, second)
        self.assertEqual(part(first, 1)["jti"], part(second, 1)["jti"])

        # Now without a service: the command delivers, and the receiver can refuse.
        self.log_in("wiki")
        self.service.process.terminate()
        self.service.process.wait(timeout=35)
        self.service.environment["LATCHKEY_ORIGIN"] = self.provider
        receiver.forms, receiver.statuses = [], [400]
        self.assertEqual(self.revoke(), {"wiki": "abandoned"})
        self.assertEqual(part(receiver.forms[0][2]["logout_token"], 1)["iss"], self.provider)
        events = self.service.latchkey("audit", "list", "--json").splitlines()
        events = [json.loads(line) for line in events]
        outcomes = [event["event"] for event in events if event["event"].startswith("oidc_logout")]
        self.assertEqual(outcomes[0], "oidc_logout_confirmed")
        self.assertIn("oidc_logout_fail", outcomes)
