"""A small web site that handles no passwords: the proxy in front of it names the logged-in user and their groups.

usage: site.py SOCKET ACCOUNTS NAME
SOCKET is where the proxy connects; ACCOUNTS is the address of the accounts; NAME is the site's, and its cookie's.
"""

import html
import http.cookies
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
        # The names of the user's groups, with commas between them; a space for none.
        groups = self.headers.get("Remote-Groups", "").strip()
        # The one cookie that the proxy passes on.
        own = http.cookies.SimpleCookie(self.headers.get("Cookie", ""))
        greeting = "Welcome back" if sys.argv[3] in own else "Hello"
        page = (
            f"<!doctype html><title>{sys.argv[3]}</title><h1>{greeting}, {html.escape(name)}</h1>"
            f"<p>Your groups: {html.escape(groups) or 'none'}</p>"
            f'<p><a href="{html.escape(sys.argv[2])}/account">Your account</a></p>'
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.send_header("Set-Cookie", f"{sys.argv[3]}=1; Path=/; Secure; HttpOnly; SameSite=Lax")
        self.end_headers()
        self.wfile.write(page)

    def address_string(self):
        return "proxy"

    def log_message(self, form, *values):
        # What the site sees of the visitor's credentials: its own, and none of Latchkey's.
        seen = {name: self.headers.get(name, "") for name in ("Cookie", "Authorization")}
        sys.stderr.write(f"site: {self.requestline} {seen}\n")
        # Many programs read a name with `_` like one with `-`.
        for name, value in self.headers.items():
            if name.lower().replace("_", "-").startswith("remote-"):
                sys.stderr.write(f"site: {name}: {value}\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    path.unlink(missing_ok=True)
    with socketserver.ThreadingUnixStreamServer(str(path), Site) as server:
        server.serve_forever()
