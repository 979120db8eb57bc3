"""A small web site without a line about passwords: the proxy in front of it says who is signed in.

usage: site.py SOCKET
"""

import html
import http.server
import pathlib
import socketserver
import sys
import urllib.parse


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        # Only the proxy can connect, and it sets this header on every request. It is percent-encoded.
        name = urllib.parse.unquote(self.headers.get("Remote-User", ""))
        if not name:
            self.send_error(403)
            return
        page = (
            f"<!doctype html><title>Notes</title><h1>Hello, {html.escape(name)}</h1>"
            '<p><a href="/account">Your account</a></p>'
            '<form method="post" action="/logout"><button>Log out</button></form>'
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def address_string(self):
        return "proxy"

    def log_message(self, form, *values):
        # What the site sees of our cookies: nothing.
        sys.stderr.write(f"site: {self.requestline} Cookie: {self.headers.get('Cookie', '')}\n")
        # Many programs read a name with `_` like one with `-`.
        for name, value in self.headers.items():
            if name.lower().replace("_", "-").startswith("remote-"):
                sys.stderr.write(f"site: {name}: {value}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    path.unlink(missing_ok=True)
    with socketserver.ThreadingUnixStreamServer(str(path), Site) as server:
        server.serve_forever()
