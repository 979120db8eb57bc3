"""Django with its two libraries for OpenID Connect."""

from case import FOLDER, ClientCase, free_port


class Django(ClientCase):
    def site(self, back):
        port = free_port()
        site = f"http://127.0.0.1:{port}"
        secret = self.add(
            "django", "--redirect", site + back, "--consent", "skip", "--scope", "openid,profile,email,groups")
        self.start(
            "/usr/bin/python3", FOLDER / "django_site.py", self.folder, port, port=port,
            environment=self.endpoints() | {"SECRET": secret})
        return site

    def test_mozilla_django_oidc(self):
        """mozilla-django-oidc logs a person in with PKCE"""
        site = self.site("/oidc/callback/")
        person = self.person()
        page = person.visit(site + "/oidc/authenticate/", self.provider)
        self.assertEqual((page.status, page.text), (200, "ada ada@example.org"))
        self.assertTrue(any("code_challenge=" in url for url in person.visited))

    def test_social_auth(self):
        """social-auth finds the endpoints itself, and logs a person in"""
        site = self.site("/complete/oidc/")
        person = self.person()
        page = person.visit(site + "/start", self.provider)
        page = person.pages(person.page(site + page.forms[0]["action"], {"provider": "oidc"}), self.provider)
        self.assertEqual((page.status, page.text), (200, "ada ada@example.org"))
