"""A service with prepared answers: gives the first request the first one, and so on.

Arguments: a file of answers (JSON Lines: status, type, headers, body or bytes), a log, and optionally --tls CERTIFICATE KEY
or --socket PATH. Prints its port. Ends with its standard input.
"""

import argparse
import base64
import http.server
import json
import os
import socket
import ssl
import sys
import threading

parser = argparse.ArgumentParser()
parser.add_argument("answers")
parser.add_argument("log")
parser.add_argument("--tls", nargs=2)
parser.add_argument("--socket")
arguments = parser.parse_args()

with open(arguments.answers, encoding="utf-8") as file:
    answers = iter([json.loads(line) for line in file if line.strip()])
log = open(arguments.log, "a", encoding="utf-8")
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def address_string(self):
        return "client"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            answer = next(answers)
            record = {
                "method": self.command, "path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()},
                "body": base64.b64encode(body).decode(),
            }
            log.write(json.dumps(record) + "\n")
            log.flush()
        if answer.get("silent"):
            threading.Event().wait()
        content = answer.get("body", "").encode() + b"x" * answer.get("padding", 0)
        if "json" in answer:
            content = json.dumps(answer["json"]).encode()
        if "padded_token" in answer:
            token = "t" * answer["padded_token"]
            content = json.dumps({"ok": True, "status": 200, "code": "success", "token": token}).encode()
        if "nested" in answer:
            content = b'{"x":' * answer["nested"]
        if "bytes" in answer:
            content = base64.b64decode(answer["bytes"])
        self.close_connection = True
        self.send_response(answer.get("status", 200))
        if answer.get("type", "application/json"):
            self.send_header("Content-Type", answer.get("type", "application/json"))
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, "x" * int(value) if answer.get("wide") else value)
        if not answer.get("unbounded"):
            self.send_header("Content-Length", str(answer.get("length", len(content))))
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:
            pass

    do_GET = do_POST = do_DELETE = answer


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self):
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = "localhost", 0


if arguments.socket:
    Server.address_family = socket.AF_UNIX
server = Server(arguments.socket or ("127.0.0.1", 0), Handler)
if arguments.tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*arguments.tls)
    # The handshake of one client must not hold up the others.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(0 if arguments.socket else server.socket.getsockname()[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
