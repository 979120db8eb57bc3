"""An application of the OpenID provider, and a browser in which its user is logged in. For scripts/race-tokens,
scripts/kill-loop and scripts/bench openid.

    application = Application(run, port)      # run(*arguments, text="") runs latchkey and returns its output
    tokens = application.redeem(application.code()).tokens
"""

import base64
import http.client
import json
import random
import urllib.parse

PASSWORD = "correct horse battery"
BACK = "https://application.example.org/back"


class Response:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json.get("error") if self.status != 200 else None


def send(port, method, path, fields=None, headers={}, connection=None):
    """Sends a request on a new connection, unless one is given. The proxy is trusted, so that requests have different
    addresses, whose limits are separate."""
    own = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    all_headers = {
        "Host": f"localhost:{port}", "X-Forwarded-For": f"10.{random.randrange(256)}.{random.randrange(256)}.1", **headers}
    body = None
    if fields is not None:
        body = urllib.parse.urlencode(fields)
        all_headers["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        own.request(method, path, body, all_headers)
        return Response(own.getresponse())
    finally:
        if not connection:
            own.close()


def log_in(port, name="ada"):
    """Returns the cookie of a new session."""
    response = send(
        port, "POST", "/login", {"username": name, "password": PASSWORD},
        {"Origin": f"http://localhost:{port}", "Sec-Fetch-Site": "same-origin"})
    if response.status != 303:
        raise RuntimeError(f"the login got {response.status}")
    return response.headers["Set-Cookie"].split(";")[0]


class Application:
    def __init__(self, run, port, name="wiki", cookie=None, *flags):
        self.port, self.name = port, name
        added = run("applications", "add", name, "--redirect", BACK, "--consent", "skip", "--scope",
                    "openid,profile,email,offline_access", "--json", *flags)
        secret = json.loads(added)["client_secret"]
        self.headers = {"Authorization": "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()}
        self.cookie = cookie or log_in(port)

    def authorization(self, scope="openid email offline_access"):
        """The path of an authorization request."""
        return "/oauth/authorize?" + urllib.parse.urlencode({
            "client_id": self.name, "redirect_uri": BACK, "response_type": "code", "scope": scope, "state": "x",
            "nonce": "n"})

    def code(self, port=None, connection=None):
        response = send(port or self.port, "GET", self.authorization(), headers={"Cookie": self.cookie},
                        connection=connection)
        place = response.headers["Location"] or ""
        if not place.startswith(BACK + "?"):
            raise RuntimeError(f"no code: {response.status} {place}")
        return dict(urllib.parse.parse_qsl(place.split("?", 1)[1]))["code"]

    def post(self, path, fields, port=None, connection=None):
        return send(port or self.port, "POST", path, fields, self.headers, connection)

    def redeem(self, code, port=None, connection=None):
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK}
        return self.post("/oauth/token", fields, port, connection)

    def refresh(self, token, port=None, connection=None):
        return self.post("/oauth/token", {"grant_type": "refresh_token", "refresh_token": token}, port, connection)

    def userinfo(self, token, port=None, connection=None):
        return send(port or self.port, "GET", "/oauth/userinfo", headers={"Authorization": "Bearer " + token},
                    connection=connection)

    def introspect(self, token, port=None, connection=None):
        return self.post("/oauth/introspect", {"token": token}, port, connection)
