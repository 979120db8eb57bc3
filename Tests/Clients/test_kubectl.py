"""kubectl, which refreshes an expired ID token by itself. Debian's version crashes when it stores the new one."""

import base64
import http.server
import json
import os
import ssl
import subprocess
import threading
import unittest

from case import FOLDER, ClientCase

KUBECTL = os.environ.get("KUBECTL")


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class Kubectl(ClientCase):
    def serve(self):
        """Starts an API server that accepts every token. Returns its port, and the tokens that it will get."""
        subprocess.run([FOLDER / "authority.sh", self.folder], check=True, capture_output=True, timeout=60)
        tokens = []

        class API(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                tokens.append(self.headers["Authorization"].removeprefix("Bearer "))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(b'{"major":"1","minor":"32","gitVersion":"v1.32.0"}')

        server = http.server.HTTPServer(("127.0.0.1", 0), API)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.pem", self.folder / "server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        return server.server_port, tokens

    @unittest.skipUnless(KUBECTL, "KUBECTL names no program")
    def test_kubectl(self):
        """kubectl refreshes an expired ID token once, and stores the new refresh token"""
        port, tokens = self.serve()
        back = "http://127.0.0.1:9/back"
        secret = self.add("cluster", "--redirect", back, "--consent", "skip", "--scope", "openid,groups,offline_access")
        refresh = self.tokens("cluster", secret, back, "openid groups offline_access")["refresh_token"]
        expired = f"{part({'alg': 'RS256'})}.{part({'iss': self.provider, 'exp': 1_000_000_000})}.AAAA"
        configuration = self.fill("kubectl.json", PORT=port, SECRET=secret, EXPIRED=expired, REFRESH=refresh)
        for _ in range(2):
            subprocess.run(
                [KUBECTL, "--kubeconfig", configuration, "get", "--raw", "/version"], check=True, timeout=60,
                env=os.environ | {"HOME": str(self.folder)})
        self.assertEqual(len(set(tokens)), 1)
        self.assertNotEqual(tokens[0], expired)
        self.assertNotIn(refresh, configuration.read_text())
