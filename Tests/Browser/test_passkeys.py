"""Passkeys, with Chromium's virtual authenticator. They require scripts."""

from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions

from case import PageCase
from service import PASSWORD, wait


class Passkeys(PageCase):
    def begin(self, **mode):
        super().begin(**mode)
        options = VirtualAuthenticatorOptions()
        options.transport = VirtualAuthenticatorOptions.Transport.INTERNAL
        options.has_resident_key = options.has_user_verification = options.is_user_verified = True
        self.browser.driver.add_virtual_authenticator(options)
        self.addCleanup(self.browser.driver.remove_virtual_authenticator)

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
            browser.driver.find_element("id", "passkey-name").send_keys("Phone <b>")
            browser.press("Add a passkey")
            self.assertEqual("Save these codes", browser.heading)
            self.assertEqual(10, len(browser.driver.find_elements("css selector", ".codes li")))
            self.look()
            browser.press("I have saved them")
            self.assert_at("/account?note=passkey_added")
            self.assertIn("Phone <b>", browser.text)
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
            browser.driver.set_user_verified(False)
            browser.open("/login")
            browser.driver.find_element("css selector", ".passkey button").click()
            wait(lambda: "That did not work" in browser.text)
            self.assert_at("/login")
            browser.driver.set_user_verified(True)
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
