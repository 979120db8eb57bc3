"""Passkeys, with Chromium's virtual authenticator. They require scripts."""

from case import PageCase
from service import PASSWORD, wait


class Passkeys(PageCase):
    def begin(self, suggestions=False, **mode):
        """The virtual authenticator answers immediately. It also answers a request for suggestions, as if a person had chosen one."""
        super().begin(**mode)
        command = self.browser.command
        command("WebAuthn.enable", enableUI=False)
        self.addCleanup(command, "WebAuthn.disable")
        self.authenticator = command("WebAuthn.addVirtualAuthenticator", options={
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True})["authenticatorId"]
        if not suggestions:
            script = command("Page.addScriptToEvaluateOnNewDocument", source=(
                "PublicKeyCredential.isConditionalMediationAvailable = async () => false"))
            self.addCleanup(command, "Page.removeScriptToEvaluateOnNewDocument", **script)

    def change_authenticator(self, method, **values):
        self.browser.command("WebAuthn." + method, authenticatorId=self.authenticator, **values)

    def add_passkey(self):
        self.service.create()
        self.log_in()
        self.browser.press("Add a passkey")
        self.browser.press("I have saved them")
        self.browser.press("Log out")

    def log_in(self):
        self.browser.open("/login")
        self.browser.submit(username="ada", password=PASSWORD)

    def test_passkey(self):
        "A person adds a passkey, logs in with it alone and after the password, and removes it"
        browser = self.browser
        self.begin()
        self.service.create()
        self.log_in()
        self.assert_at("/account")
        with self.step("the first factor comes with codes to save"):
            browser.press("Add a passkey")
            self.assertEqual("Save these codes", browser.heading)
            self.assertEqual(10, len(browser.driver.find_elements("css selector", ".codes li")))
            self.look()
            browser.press("I have saved them")
            self.assertEqual("Passkey added", browser.heading)
            self.look()
            browser.submit(name="Phone <b>")
            self.assert_at("/account?note=passkey_added")
            self.assertIn("Phone <b>", browser.text)
            self.look()
        with self.step("adding a second passkey on the same device is refused with the reason"):
            browser.driver.find_element("css selector", "form.passkey button").click()
            message = browser.driver.find_element("css selector", "form.passkey .error")
            wait(lambda: message.is_displayed())
            self.assertEqual("This device has a passkey for this account already", message.text)
            self.look()
        with self.step("the passkey alone logs in"):
            browser.press("Log out")
            browser.open("/login?return=/account/profile")
            self.look()
            browser.press("Log in with a passkey")
            self.assert_at("/account/profile")
        with self.step("after the password, it is the second factor"):
            browser.press("Log out")
            self.log_in()
            self.assert_at("/login/code")
            self.look()
            browser.press("Use a passkey")
            self.assert_at("/account")
        with self.step("an authenticator that does not verify its user is refused, and the page says so"):
            browser.press("Log out")
            self.change_authenticator("setUserVerified", isUserVerified=False)
            browser.open("/login")
            browser.driver.find_element("css selector", ".passkey button").click()
            wait(lambda: "That did not work" in browser.text)
            self.assert_at("/login")
            self.change_authenticator("setUserVerified", isUserVerified=True)
        with self.step("a removed passkey no longer works"):
            browser.press("Log in with a passkey")
            self.assert_at("/account")
            browser.press("Remove the passkey " + browser.driver.find_element(
                "css selector", "[href^='/account/factors/remove?passkey=']").get_attribute("aria-label")
                .removeprefix("Remove the passkey "))
            self.look()
            browser.press("Remove")
            self.assert_at("/account?note=passkey_removed")
            browser.press("Log out")
            browser.open("/login")
            browser.press("Log in with a passkey")
            self.assertIn("The passkey was refused", browser.text)
            self.log_in()
            self.assert_at("/account")

    def test_suggestions(self):
        "The field for the name suggests passkeys, and the button next to it still works"
        browser = self.browser
        self.begin(suggestions=True)
        self.add_passkey()
        with self.step("a suggestion logs in"):
            browser.open("/login?return=/account/profile")
            wait(lambda: browser.path == "/account/profile")
        with self.step("the button ends the request that waits in the suggestions"):
            self.change_authenticator("setAutomaticPresenceSimulation", enabled=False)
            browser.press("Log out")
            browser.open("/login")
            self.assertEqual("username webauthn", browser.element("username").get_attribute("autocomplete"))
            self.look()
            self.change_authenticator("setAutomaticPresenceSimulation", enabled=True)
            browser.press("Log in with a passkey")
            self.assert_at("/account")
        with self.step("the password works while the request waits"):
            self.change_authenticator("setAutomaticPresenceSimulation", enabled=False)
            browser.press("Log out")
            self.log_in()
            self.assert_at("/login/code")

    def test_refused_suggestions(self):
        "A refused request for suggestions is not repeated"
        browser = self.browser
        self.begin(suggestions=True)
        script = browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            window.requests = 0;
            window.fetch = async () => {
              window.requests += 1;
              return new Response('{"code":"cross_origin"}', { status: 403 });
            };
            """)
        self.addCleanup(browser.command, "Page.removeScriptToEvaluateOnNewDocument", **script)
        browser.open("/login")
        wait(lambda: browser.run("return window.requests") > 0)
        # A repetition would start without a delay.
        browser.driver.execute_async_script("setTimeout(arguments[0], 500)")
        self.assertEqual(1, browser.run("return window.requests"))
        self.assertIn("Log in with a passkey", browser.text)
