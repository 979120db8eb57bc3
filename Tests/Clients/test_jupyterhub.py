"""JupyterHub, whose administrators are the members of a group."""

from case import FOLDER, ClientCase, free_port


class JupyterHub(ClientCase):
    def test_jupyterhub(self):
        """JupyterHub makes the members of a group administrators, and lets only the members of another one in"""
        port = free_port()
        site = f"http://127.0.0.1:{port}"
        for name in ("bob", "eve"):
            self.service.create(name)
        self.service.latchkey("groups", "add", "staff", "bob")
        secret = self.add(
            "hub", "--redirect", site + "/hub/oauth_callback", "--consent", "skip", "--scope",
            "openid,profile,email,groups")
        self.start(
            "/usr/bin/python3", "-m", "jupyterhub", "-f", FOLDER / "jupyterhub_config.py", port=port,
            environment=self.endpoints() | {
                "SECRET": secret, "SITE": site, "FOLDER": str(self.folder), "JUPYTERHUB_CRYPT_KEY": "00" * 32})
        for user, home, admin in (("ada", 200, 200), ("bob", 200, 403), ("eve", 403, None)):
            with self.subTest(user):
                person = self.person(user=user)
                page = person.visit(site + "/hub/oauth_login?next=%2Fhub%2Fhome", self.provider)
                self.assertEqual(page.status, home, page.text[:500])
                if admin:
                    self.assertIn(user, page.text)
                    self.assertEqual(person.visit(site + "/hub/admin", self.provider).status, admin)
