"""Apache with mod_auth_openidc, which logs people in, and mod_oauth2, which introspects the tokens of programs."""

import json
import urllib.error
import urllib.parse
import urllib.request

from case import ClientCase, free_port, wait


class Apache(ClientCase):
    def status(self, token=None):
        """What Apache answers a program with this token: the status and the user."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(self.site + "/api/", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers["X-User"]
        except urllib.error.HTTPError as error:
            return error.code, None

    def test_apache(self):
        """Apache logs a person in, reads groups, refreshes, introspects, logs out and is logged out"""
        port = free_port()
        self.site = f"http://127.0.0.1:{port}"
        for folder in ("app", "admin", "staff", "api"):
            (self.folder / "pages" / folder).mkdir(parents=True)
            (self.folder / "pages" / folder / "index.html").write_text(f"page {folder}")
        (self.folder / "pages/bye.html").write_text("goodbye")
        secret = self.add(
            "apache", "--redirect", self.site + "/app/back", "--logout-redirect", self.site + "/bye.html", "--consent",
            "skip", "--backchannel-logout-uri", self.site + "/app/back?logout=backchannel", "--scope", "openid,profile,email,groups,offline_access")
        introspection = self.add("api", "--introspect", "--redirect", self.site + "/none")
        configuration = self.fill(
            "apache.conf", PORT=port, SECRET=secret, INTROSPECTION_SECRET=introspection,
            INTROSPECTION=self.metadata("introspection_endpoint"))
        self.start("/usr/sbin/apache2", "-f", str(configuration), "-D", "FOREGROUND", port=port)

        person = self.person()
        page = person.visit(self.site + "/app/", self.provider)
        self.assertEqual((page.status, page.text, person.logins), (200, "page app", 1))
        self.assertEqual(page.headers["X-User"], "ada")
        self.assertEqual(page.headers["X-Email"], "ada@example.org")
        self.assertEqual(page.headers["X-Groups"], "admins")
        self.assertTrue(any("code_challenge=" in url for url in person.visited))
        self.assertEqual(person.visit(self.site + "/admin/", self.provider).status, 200)
        self.assertIn(person.visit(self.site + "/staff/", self.provider).status, (401, 403))

        first = page.headers["X-Token"]

        def refreshed():
            page = person.visit(self.site + "/app/", self.provider)
            self.assertEqual((page.status, person.logins), (200, 1))
            return page.headers["X-Token"] != first and page.headers["X-Token"]

        token = wait(refreshed)
        self.assertEqual(self.status(token), (200, "ada"))
        self.assertEqual(self.status(token[:-1])[0], 401)
        self.assertEqual(self.status()[0], 401)

        person.visited.clear()
        target = urllib.parse.quote(self.site + "/bye.html", safe="")
        page = person.visit(f"{self.site}/app/back?logout={target}", self.provider)
        self.assertEqual((page.status, page.text), (200, "goodbye"))
        self.assertTrue(any("id_token_hint=" in url for url in person.visited))
        person.visit(self.site + "/app/", self.provider)
        self.assertEqual(person.logins, 2)

        # The grant with offline_access goes on, so only the notice ends the session of Apache.
        self.assertEqual(person.visit(self.site + "/app/", self.provider).status, 200)
        self.assertEqual(person.logins, 2)
        ended = json.loads(self.service.latchkey("sessions", "revoke", "--all", "--account", "ada", "--json"))
        self.assertEqual(ended["logouts"], [{"client_id": "apache", "outcome": "confirmed"}])
        person.visit(self.site + "/app/", self.provider)
        self.assertEqual(person.logins, 3)
