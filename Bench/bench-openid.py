"""Measures the CPU time of the OpenID provider next to Glewlwyd and django-oauth-toolkit, and the size of its grants.

    scripts/bench openid [BINARY] [ROUNDS]        needs Debian's glewlwyd, python3-django-oauth-toolkit and gunicorn

All stores are SQLite in /dev/shm. Each service gets the same requests, one after another on one connection, and in turn. A
figure is the CPU time of all processes of the service for one request: the user's and the system's. Without one of the
packages, its column is missing.

- metadata, keys, userinfo, introspection: GET, or POST with the secret in the header
- code to tokens, refresh: with an ID token that RS256 signs; both create a refresh token
- login: a password at the default cost, alone and as the beginning of a code flow to the tokens
- 100,000 grants with a used code, an access and a refresh token: the growth of the database file
"""

import base64
import contextlib
import glob
import http.client
import json
import os
import pathlib
import secrets
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
from bench_openid import BACK, PASSWORD, Application, log_in, send
from bench_table import interleaved, table

HERE = pathlib.Path(__file__).resolve().parent
SECRET = "a-secret-of-the-benchmark-with-43-characters"
# The requests of one figure. Latchkey gives each application 600 token requests a minute.
REQUESTS, CODES = 500, 150


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def await_port(process, port):
    for _ in range(600):
        try:
            return http.client.HTTPConnection("127.0.0.1", port, timeout=60).connect()
        except OSError:
            if process.poll() is not None:
                raise SystemExit(f"{process.args[0]} ended with {process.returncode}")
            time.sleep(0.05)
    raise SystemExit(f"{process.args[0]} does not listen")


def family(pid):
    """A process and its descendants."""
    processes = [pid]
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        # A thread can end at any time.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            processes += [process for word in open(path).read().split() for process in family(int(word))]
    return processes


def cpu(pid):
    """The CPU seconds of a process with its descendants and ended threads."""
    total = 0
    for process in family(pid):
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


class Provider:
    """A running service. Its methods return the CPU seconds of one request."""

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def measure(self, count, perform):
        connection = self.connect()
        perform(connection, 0)
        before = cpu(self.process.pid)
        for number in range(1, count + 1):
            perform(connection, number)
        elapsed = cpu(self.process.pid) - before
        connection.close()
        return elapsed / count

    def get(self, path):
        return self.measure(8 * REQUESTS, lambda connection, _: self.check(send(self.port, "GET", path, connection=connection)))

    def check(self, response, status=200):
        if response.status != status:
            raise SystemExit(f"{type(self).__name__}: {response.status} {response.body[:300]}")
        return response

    def end(self):
        self.process.terminate()
        self.process.wait()


class Latchkey(Provider):
    metadata, keys = "/.well-known/openid-configuration", "/oauth/jwks"

    def __init__(self, binary, folder):
        self.binary, self.folder, self.number = binary, folder, 0
        self.environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.store = folder + "/.local/share/latchkey/accounts.sqlite"
        self.run("setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin", text=PASSWORD + "\n")
        self.port = free_port()
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--trusted-proxy", "127.0.0.1/32", "--quiet"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        await_port(self.process, self.port)
        self.cookie = log_in(self.port)
        self.application()

    def run(self, *arguments, text=""):
        return subprocess.run(
            [self.binary, *arguments], env=self.environment, input=text, check=True, capture_output=True, text=True).stdout

    def application(self):
        self.number += 1
        return Application(self.run, self.port, f"application{self.number}", self.cookie)

    def userinfo(self):
        application = self.application()
        token = application.redeem(application.code()).json["access_token"]
        return self.measure(4 * REQUESTS, lambda link, _: self.check(application.userinfo(token, connection=link)))

    def introspection(self):
        applications = [self.application() for _ in range(4)]
        tokens = [application.redeem(application.code()).json["access_token"] for application in applications]
        return self.measure(4 * REQUESTS, lambda link, number: self.check(
            applications[number % 4].introspect(tokens[number % 4], connection=link)))

    def exchange(self):
        application = self.application()
        codes = [application.code() for _ in range(CODES + 1)]
        return self.measure(CODES, lambda link, number: self.check(application.redeem(codes[number], connection=link)))

    def refresh(self):
        application = self.application()
        tokens = [application.redeem(application.code()).json["refresh_token"]]
        return self.measure(CODES, lambda link, _: tokens.append(
            self.check(application.refresh(tokens[-1], connection=link)).json["refresh_token"]))

    def login(self):
        return self.measure(8, lambda *_: log_in(self.port))

    def login_with_code(self):
        application = self.application()

        def perform(link, _):
            asked = send(self.port, "GET", application.authorization(), connection=link)
            browser = asked.headers["Set-Cookie"].split(";")[0]
            place = dict(urllib.parse.parse_qsl(asked.headers["Location"].split("?", 1)[1]))["return"]
            session = log_in(self.port)
            page = self.check(send(self.port, "GET", place, headers={"Cookie": f"{session}; {browser}"}, connection=link))
            code = page.body.split(b"code=lkc_", 1)[1][:43].decode()
            self.check(application.redeem("lkc_" + code, connection=link))

        return self.measure(8, perform)

    def grants(self, count=100_000):
        """The growth of the store in bytes for each live grant: copies of the rows of real ones."""
        # The logins have ended the oldest session.
        self.cookie = log_in(self.port)
        application = self.application()
        for _ in range(20):
            application.redeem(application.code())
        self.end()
        database = sqlite3.connect(self.store)
        database.create_function("fresh", 1, lambda size: secrets.token_bytes(size))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("VACUUM")
        before = os.path.getsize(self.store)
        names = [row[1] for row in database.execute("PRAGMA table_info(access_grant)")]
        kept = ", ".join(name for name in names if name not in ("number", "id"))
        tokens = [row[1] for row in database.execute("PRAGMA table_info(grant_token)")]
        values = ", ".join({"digest": "fresh(16)", "access_grant": "?2"}.get(name, name) for name in tokens)
        with database:
            model = database.execute("SELECT max(number) FROM access_grant").fetchone()[0]
            for _ in range(count):
                number = database.execute(
                    f"INSERT INTO access_grant (id, {kept}) SELECT fresh(16), {kept} FROM access_grant WHERE number = ?1",
                    [model]).lastrowid
                database.execute(
                    f"INSERT INTO grant_token ({', '.join(tokens)}) SELECT {values} FROM grant_token WHERE access_grant = ?1",
                    [model, number])
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        return (os.path.getsize(self.store) - before) / count


class Glewlwyd(Provider):
    metadata, keys = "/api/oidc/.well-known/openid-configuration", "/api/oidc/jwks"
    settings = "/etc/glewlwyd/glewlwyd.conf"
    schema = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"

    def __init__(self, folder):
        self.port = free_port()
        store = folder + "/glewlwyd.sqlite"
        database = sqlite3.connect(store)
        database.executescript(pathlib.Path(self.schema).read_text())
        database.executescript("""
            INSERT INTO g_user_scope (gus_name) VALUES ('openid');
            INSERT INTO g_user_scope_user (gu_id, gus_id) SELECT gu_id, gus_id FROM g_user, g_user_scope
                WHERE gu_username = 'admin' AND gus_name = 'openid';
            """)
        database.commit()
        database.close()
        settings = folder + "/glewlwyd.conf"
        pathlib.Path(settings).write_text(f"""
            port={self.port}
            bind_address="127.0.0.1"
            external_url="http://127.0.0.1:{self.port}"
            login_url="login.html"
            api_prefix="api"
            log_mode="console"
            log_level="ERROR"
            cookie_secure=0
            session_expiration=2419200
            session_key="GLEWLWYD2_SESSION_ID"
            admin_scope="g_admin"
            profile_scope="g_profile"
            user_module_path="/usr/lib/glewlwyd/user"
            client_module_path="/usr/lib/glewlwyd/client"
            user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
            plugin_module_path="/usr/lib/glewlwyd/plugin"
            hash_algorithm="SHA512"
            database = {{ type = "sqlite3" path = "{store}" }};
            """)
        self.process = subprocess.Popen(
            ["/usr/bin/glewlwyd", "--config-file=" + settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        await_port(self.process, self.port)
        login = self.api("POST", "/auth/", {"username": "admin", "password": "password"}, {})
        self.cookie = {"Cookie": login.headers["Set-Cookie"].split(";")[0]}
        key, certificate = folder + "/key", folder + "/public"
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        subprocess.run(["openssl", "rsa", "-in", key, "-pubout", "-out", certificate], check=True, capture_output=True)
        self.api("POST", "/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OpenID", "order_rank": 0, "parameters": {
                "iss": f"http://127.0.0.1:{self.port}/api/oidc", "jwt-type": "rsa", "jwt-key-size": "256",
                "key": pathlib.Path(key).read_text(), "cert": pathlib.Path(certificate).read_text(),
                "access-token-duration": 600, "refresh-token-duration": 2592000, "code-duration": 60,
                "refresh-token-rolling": False, "refresh-token-one-use": "always", "allow-non-oidc": False,
                "auth-type-code-enabled": True, "auth-type-refresh-enabled": True, "auth-type-client-enabled": True,
                "auth-type-token-enabled": False, "auth-type-id-token-enabled": False, "auth-type-none-enabled": False,
                "auth-type-password-enabled": False, "auth-type-device-enabled": False, "subject-type": "public",
                "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
                "introspection-revocation-auth-scope": [], "jwks-show": True, "scope": [], "claims": [],
                "additional-parameters": [], "address-claim": {"type": "no"}, "name-claim": "on-demand",
                "email-claim": "no", "scope-claim": "no"}})
        self.api("POST", "/client/", {
            "client_id": "wiki", "name": "Wiki", "confidential": True, "enabled": True, "password": SECRET,
            "client_secret": SECRET, "redirect_uri": [BACK], "scope": [], "token_endpoint_auth_method": ["client_secret_basic"],
            "authorization_type": ["code", "refresh_token", "client_credentials"]})
        self.api("PUT", "/auth/grant/wiki", {"scope": "openid"})
        self.headers = {"Authorization": "Basic " + base64.b64encode(f"wiki:{SECRET}".encode()).decode()}

    def api(self, method, path, value, headers=None):
        connection = self.connect()
        connection.request(
            method, "/api" + path, json.dumps(value),
            {"Content-Type": "application/json", **(self.cookie if headers is None else headers)})
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise SystemExit(f"Glewlwyd: {method} {path}: {response.status} {body[:500]}")
        return response

    def code(self):
        query = urllib.parse.urlencode({
            "client_id": "wiki", "redirect_uri": BACK, "response_type": "code", "scope": "openid", "state": "x",
            "nonce": "n", "g_continue": ""})
        place = send(self.port, "GET", "/api/oidc/auth?" + query, headers=self.cookie).headers["Location"]
        return dict(urllib.parse.parse_qsl(place.split("?", 1)[1]))["code"]

    def post(self, path, fields, link=None):
        return self.check(send(self.port, "POST", "/api/oidc/" + path, fields, self.headers, link))

    def redeem(self, code, link=None):
        return self.post("token", {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK}, link).json

    def userinfo(self):
        token = {"Authorization": "Bearer " + self.redeem(self.code())["access_token"]}
        return self.measure(REQUESTS, lambda link, _: self.check(
            send(self.port, "GET", "/api/oidc/userinfo", headers=token, connection=link)))

    def introspection(self):
        token = self.redeem(self.code())["access_token"]
        return self.measure(REQUESTS, lambda link, _: self.post("introspect", {"token": token}, link))

    def exchange(self):
        codes = [self.code() for _ in range(CODES + 1)]
        return self.measure(CODES, lambda link, number: self.redeem(codes[number], link))

    def refresh(self):
        tokens = [self.redeem(self.code())["refresh_token"]]

        def perform(link, _):
            new = self.post("token", {"grant_type": "refresh_token", "refresh_token": tokens[-1]}, link).json
            tokens.append(new.get("refresh_token", tokens[-1]))

        return self.measure(CODES, perform)


SITE = '''
import os
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["BENCH_STORE"], "CONN_MAX_AGE": None}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"], USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF="bench_site",
    OAUTH2_PROVIDER={"SCOPES": {"openid": "", "introspection": ""}})
django.setup()
from django.core.wsgi import get_wsgi_application
from django.urls import include, path
from oauth2_provider.views import IntrospectTokenView
urlpatterns = [path("introspect", IntrospectTokenView.as_view())]
application = get_wsgi_application()
'''
SETUP = '''
import datetime, sys
import bench_site
from django.core.management import call_command
from django.contrib.auth.models import User
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application
call_command("migrate", verbosity=0)
user = User.objects.create(username="ada")
app = Application.objects.create(
    client_id="wiki", client_secret=sys.argv[1], client_type="confidential", authorization_grant_type="authorization-code",
    redirect_uris="https://application.example.org/back", user=user)
AccessToken.objects.create(
    user=user, application=app, token="t" * 30, scope="openid", expires=timezone.now() + datetime.timedelta(hours=9))
'''


class DjangoOAuthToolkit(Provider):
    def __init__(self, folder):
        self.port = free_port()
        pathlib.Path(folder + "/bench_site.py").write_text(SITE)
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": folder, "BENCH_STORE": folder + "/site.sqlite"}
        subprocess.run(["/usr/bin/python3", "-c", SETUP, SECRET], env=environment, check=True)
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "gunicorn", "--workers", "1", "--worker-class", "gthread", "--threads", "1", "--bind",
             f"127.0.0.1:{self.port}", "bench_site"], env=environment, cwd=folder, stderr=subprocess.DEVNULL)
        await_port(self.process, self.port)
        self.headers = {"Authorization": "Basic " + base64.b64encode(f"wiki:{SECRET}".encode()).decode()}

    def introspection(self):
        def perform(link, _):
            response = self.check(send(self.port, "POST", "/introspect", {"token": "t" * 30}, self.headers, link))
            if not response.json["active"]:
                raise SystemExit(f"django-oauth-toolkit: {response.body}")

        return self.measure(30, perform)


def main(arguments):
    binary = os.path.realpath(arguments[0] if arguments else HERE.parent / ".build/release/latchkey")
    rounds = int(arguments[1]) if len(arguments) > 1 else 5
    folders, providers = [], {}
    try:
        def start(name, make):
            folders.append(tempfile.mkdtemp(dir="/dev/shm"))
            providers[name] = make(folders[-1])

        if os.path.exists("/usr/bin/glewlwyd"):
            start("Glewlwyd 2.7.5", Glewlwyd)
        if glob.glob("/usr/lib/python3/dist-packages/oauth2_provider"):
            start("django-oauth-toolkit 1.7.0", DjangoOAuthToolkit)
        start("latchkey", lambda folder: Latchkey(binary, folder))
        latchkey = providers["latchkey"]

        def compare(title, method):
            contestants = {name: method(provider) for name, provider in providers.items() if method(provider)}
            table(title, interleaved(contestants, rounds), scale=1e6, unit="µs")

        for title, path in (("metadata", "metadata"), ("keys", "keys")):
            compare(title, lambda provider: getattr(provider, path, None) and (lambda: provider.get(getattr(provider, path))))
        for title, name in (
                ("userinfo", "userinfo"), ("introspection", "introspection"), ("code to tokens", "exchange"),
                ("refresh", "refresh")):
            compare(title, lambda provider: getattr(provider, name, None))
        table("login", interleaved(
            {"password alone": latchkey.login, "with a code flow": latchkey.login_with_code}, rounds), scale=1000)
        size = latchkey.grants()
        print(f"100,000 grants: {size * 1e5 / 1e6:.1f} MB, {size:.0f} bytes each")
    finally:
        for provider in providers.values():
            if provider.process.poll() is None:
                provider.end()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


main(sys.argv[1:])
