"""Logins to an application on another origin, with and without scripts."""

import base64
import hashlib
import http.server
import json
import re
import threading
import urllib.parse
import urllib.request

from browser import By
from case import PageCase, in_each_mode
from service import PASSWORD, wait

VERIFIER = "a-verifier-of-forty-three-characters-or-more"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


class Application:
    """An application on another origin: it records each response that a browser brings."""

    def __init__(self):
        received = self.received = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(urllib.parse.urlsplit(self.path).query)

            def do_POST(self):
                self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

            def answer(self, text):
                if not self.path.startswith("/favicon"):
                    received.append((self.command, dict(urllib.parse.parse_qsl(text))))
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(b"<!doctype html><html lang=en><title>Wiki</title><main><h1>Wiki</h1></main></html>")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.callback = f"http://127.0.0.1:{self.server.server_port}/cb"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class OpenID(PageCase):
    def begin(self, *flags, **mode):
        super().begin(*flags, **mode)
        self.service.create()
        self.application = Application()
        self.addCleanup(self.application.stop)
        self.service.latchkey(
            "applications", "add", "wiki", "--name", "Wiki", "--public", "--grant", "code,refresh,device",
            "--redirect", "http://127.0.0.1/cb", "--redirect", "org.example.wiki:/cb")
        # The consent for a public application is asked for each time, and that for one with a secret once.
        added = self.service.latchkey(
            "applications", "add", "notes", "--name", "Notes", "--redirect", self.application.callback)
        self.secret = re.search(r"(?m)^Client secret\s+(\S+)$", added).group(1)

    def request(self, **more):
        values = {"client_id": "wiki", "redirect_uri": self.application.callback, "response_type": "code",
                  "scope": "openid profile email", "state": "the-state-0123456789", "nonce": "the-nonce-0123456789",
                  "code_challenge": CHALLENGE, "code_challenge_method": "S256"} | more
        return "/oauth/authorize?" + urllib.parse.urlencode(values)

    def arrive(self, number=1):
        """The response that the browser has brought to the application."""
        wait(lambda: len(self.application.received) >= number)
        self.assertEqual(number, len(self.application.received), "each response comes once")
        wait(lambda: self.browser.driver.current_url.startswith(self.application.callback))
        self.browser.drain()
        method, values = self.application.received[-1]
        self.assertEqual("the-state-0123456789", values["state"])
        self.assertEqual(self.service.url, values["iss"])
        return method, values

    def to_consent(self, name="Wiki", **more):
        self.browser.open(self.request(client_id=name.lower(), **more))
        self.assertEqual(f"Log in to continue to {name}", self.browser.heading)
        self.look()
        self.browser.submit(username="ada", password=PASSWORD)
        self.assertEqual(f"{name} wants to use your account", self.browser.heading)
        self.look()

    def answer(self, words):
        """Presses a button whose page leads on to the application."""
        for button in self.browser.driver.find_elements(By.TAG_NAME, "button"):
            if button.text == words:
                return button.click()
        self.fail(f"no button {words}: {self.browser.text}")

    def tokens(self, code, client="wiki", **more):
        body = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.application.callback,
                "code_verifier": VERIFIER, "client_id": client} | more
        with urllib.request.urlopen(self.service.url + "/oauth/token", urllib.parse.urlencode(body).encode()) as answer:
            return json.load(answer)

    @in_each_mode
    def test_login(self):
        "A login to an application: log in, allow, return; then without questions, until it is disconnected"
        browser = self.browser
        with self.step("log in and allow"):
            self.to_consent("Notes")
            self.assertIn("a program on your device", browser.text)
            self.answer("Allow")
            method, values = self.arrive()
            self.assertEqual("GET", method)
            self.assertIn("id_token", self.tokens(values["code"], "notes", client_secret=self.secret))
        with self.step("the second time without a page"):
            browser.open(self.request(client_id="notes"))
            self.arrive(2)
        with self.step("the owner disconnects it"):
            browser.open("/account")
            self.assertIn("Connected applications", browser.text)
            self.look()
            browser.press("Disconnect Notes")
            self.assertNotIn("Disconnect", browser.text)
        with self.step("it asks again"):
            browser.open(self.request(client_id="notes"))
            self.assertEqual("Notes wants to use your account", browser.heading)

    def test_denied(self):
        "A refused consent goes back as an error, with and without scripts"
        for scripts in (True, False):
            with self.step(f"scripts: {scripts}"):
                self.begin(scripts=scripts)
                self.to_consent()
                self.answer("Deny")
                self.assertEqual("access_denied", self.arrive()[1]["error"])

    def test_no_pages(self):
        "An application that forbids pages gets an error instead of a login, and a code after the consent"
        self.begin()
        silently = self.request(client_id="notes", prompt="none")
        self.browser.open(silently)
        self.assertEqual("login_required", self.arrive()[1]["error"])
        self.to_consent("Notes")
        self.browser.open(silently)
        self.assertEqual("consent_required", self.arrive(2)[1]["error"])
        self.browser.open(self.request(client_id="notes"))
        self.answer("Allow")
        self.arrive(3)
        self.browser.open(silently)
        self.assertIn("code", self.arrive(4)[1])

    def test_form_post(self):
        "A response is posted by itself with scripts, and by a button without"
        for scripts in (True, False):
            with self.step(f"scripts: {scripts}"):
                self.begin(scripts=scripts)
                self.to_consent(response_mode="form_post")
                if scripts:
                    self.answer("Allow")
                else:
                    self.browser.press("Allow")
                    self.assertEqual("Back to Wiki", self.browser.heading)
                    self.look()
                    self.answer("Continue")
                method, values = self.arrive()
                self.assertEqual("POST", method)
                self.assertIn("code", values)

    def test_private_scheme(self):
        "The policy of the pages does not keep a browser from an application's own scheme"
        browser = self.browser
        self.begin()
        self.to_consent(redirect_uri="org.example.wiki:/cb")
        browser.press("Allow")
        self.assertEqual("Back to Wiki", browser.heading)
        link = browser.driver.find_element(By.CSS_SELECTOR, "main a.button").get_attribute("href")
        self.assertTrue(link.startswith("org.example.wiki:/cb?code="), link)
        self.assertFalse([one for one in browser.drain() if "Content Security Policy" in one])

    def test_another_browser(self):
        "A request that waits in one browser does not continue in another"
        browser = self.browser
        self.begin()
        self.to_consent()
        path = browser.path
        browser.command("Network.clearBrowserCookies")
        browser.open(path)
        self.assertNotIn("Wiki", browser.text)
        self.assertFalse(self.application.received)

    def test_back_and_reload(self):
        "Reloading the consent page is harmless, and going back to it after the answer gives no second code"
        browser = self.browser
        self.begin()
        self.to_consent()
        browser.leave(browser.driver.refresh)
        self.assertEqual("Wiki wants to use your account", browser.heading)
        path = browser.path
        self.answer("Allow")
        self.arrive()
        browser.open(path)
        self.assertNotIn("Allow", browser.text)
        self.assertEqual(1, len(self.application.received))

    @in_each_mode
    def test_device(self):
        "A device is connected after its code was compared"
        browser = self.browser
        body = urllib.parse.urlencode({"client_id": "wiki", "scope": "openid profile"}).encode()
        with urllib.request.urlopen(self.service.url + "/oauth/device", body) as answer:
            code = json.load(answer)["user_code"]
        with self.step("the login comes first"):
            browser.open("/device")
            browser.submit(username="ada", password=PASSWORD)
            self.assertEqual("Connect a device", browser.heading)
            self.look()
        with self.step("a wrong code"):
            browser.fill(user_code="BBBB-BBBB")
            browser.press("Continue")
            self.assertTrue(browser.error("user_code"))
            self.look()
        with self.step("the right one"):
            browser.fill(user_code=code)
            browser.press("Continue")
            self.assertEqual("Is this the code on your device?", browser.heading)
            self.assertIn(code, browser.text)
            self.look()
            browser.press("Yes, connect")
            self.look()

    def test_logout(self):
        "An application's logout asks without a hint, and returns at once with one"
        browser = self.browser
        self.begin()
        self.service.latchkey("applications", "update", "wiki", "--logout-redirect", self.application.callback)
        self.to_consent()
        self.answer("Allow")
        token = self.tokens(self.arrive()[1]["code"])["id_token"]
        with self.step("without a hint"):
            browser.open("/oauth/logout")
            browser.open("/account")
            self.assert_at("/account")
        with self.step("with a hint"):
            browser.open("/oauth/logout?" + urllib.parse.urlencode(
                {"id_token_hint": token, "post_logout_redirect_uri": self.application.callback}))
            wait(lambda: browser.driver.current_url.startswith(self.application.callback))
            browser.drain()
            browser.open("/account")
            self.assert_at("/login?return=/account")
        with self.step("confirmed"):
            browser.submit(username="ada", password=PASSWORD)
            browser.open("/oauth/logout")
            self.look()
            browser.leave(lambda: browser.driver.find_element(By.CSS_SELECTOR, "main button").click())
            self.assertEqual("You are logged out", browser.heading)
            self.look()
