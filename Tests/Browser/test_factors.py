"""Second factors: setting up an authenticator app, logging in with its codes, and losing or removing it."""

from browser import By
from case import MODES, PageCase, in_each_mode
from service import PASSWORD, totp


class Factors(PageCase):
    def texts(self, selector):
        return [element.text for element in self.browser.driver.find_elements(By.CSS_SELECTOR, selector)]

    def key(self):
        """The key on the page, in the form in which a user types it into an app."""
        self.browser.driver.find_element(By.CSS_SELECTOR, "details summary").click()
        (key,) = self.texts("#key")
        self.assertRegex(key, r"^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$")
        self.assertTrue(self.browser.driver.find_element(By.CSS_SELECTOR, "svg.qr-code").is_displayed())
        return key.replace(" ", "")

    def assert_saved_codes(self):
        self.assertEqual("Save these codes", self.browser.heading)
        codes = self.texts(".codes li")
        self.assertEqual(10, len(set(codes)))
        heights = {element.rect["height"] for element in
                   self.browser.driver.find_elements(By.CSS_SELECTOR, ".codes li")}
        self.assertEqual(1, len(heights), "no code is broken in two lines")
        self.look()
        return codes

    def log_in_with(self, code, path="/account"):
        self.browser.submit(username="ada", password=PASSWORD)
        self.browser.submit(code=code)
        self.assert_at(path)
        self.service.await_next_code()

    @in_each_mode
    def test_set_up(self):
        "A person sets up an authenticator app"
        browser = self.browser
        self.log_in()
        with self.step("the account offers it"):
            self.assertIn("With an authenticator app", browser.text)
            browser.press("Set up an authenticator app")
            self.assert_at("/account/authenticator")
            self.look()
        with self.step("the page has the three steps, with the QR code and the key"):
            self.assertEqual(3, len(self.texts(".steps > li")))
            first = self.key()
            self.look()
        with self.step("no code and a wrong one are refused, and keep the QR code and the key"):
            browser.submit()
            self.assert_refused("code")
            browser.submit(code="000000")
            self.assert_refused("code", empty=["code"])
            key = self.key()
            self.assertEqual(first, key)
        with self.step("a code of the app finishes it, and codes to save appear once"):
            browser.submit(code=totp(key))
            codes = self.assert_saved_codes()
            browser.press("I have saved them")
            self.assert_at("/account")
            self.assertIn("10 of 10 left", browser.text)
            self.look()
        with self.step("the next login asks for a code"):
            self.service.await_next_code()
            browser.press("Log out")
            self.log_in_with(totp(key))
        with self.step("a saved code works instead of the app"):
            browser.press("Log out")
            self.log_in_with(codes[0])
            self.assertIn("9 of 10 left", browser.text)

    @in_each_mode
    def test_log_in(self):
        "A person logs in with a code"
        browser = self.browser
        self.service.create()
        key, codes = self.service.add_factor()
        with self.step("the password leads to the code"):
            browser.open("/account/password")
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/login/code?return=/account/password")
            self.assertEqual("field-code", browser.focus)
            self.assertEqual("one-time-code", browser.element("code").get_attribute("autocomplete"))
            self.look()
        with self.step("no code and a wrong one are refused"):
            browser.submit()
            self.assert_refused("code")
            browser.submit(code="000000")
            self.assert_refused("code", empty=["code"])
        with self.step("the code of the app leads to the page that was asked for"):
            code = totp(key)
            browser.submit(code=code)
            self.assert_at("/account/password")
        with self.step("the code does not work twice"):
            browser.press("Log out")
            browser.submit(username="ada", password=PASSWORD)
            browser.submit(code=code)
            self.assert_refused("code", empty=["code"])
        with self.step("a saved code does, and the way back leads to the login"):
            browser.press("Use another account")
            self.log_in_with(codes[0].lower())

    @in_each_mode
    def test_remove(self):
        "A person replaces the saved codes and removes the authenticator app"
        browser = self.browser
        self.service.create()
        key, old = self.service.add_factor()
        browser.open("/login")
        self.log_in_with(totp(key))
        with self.step("new codes replace the old ones"):
            browser.press("Make new codes")
            self.assertEqual("Make new saved codes?", browser.heading)
            self.look()
            browser.press("Cancel")
            self.assert_at("/account")
            browser.press("Make new codes")
            browser.press("Make new codes")
            self.assertFalse(set(old) & set(self.assert_saved_codes()))
            browser.press("I have saved them")
            self.assert_at("/account")
        with self.step("later, removal asks for the password and a code first"):
            self.service.age_passwords()
            browser.press("Remove the authenticator app")
            self.assert_at("/account/confirm?return=/account/factors/remove")
            browser.submit(current_password=PASSWORD)
            self.assert_at("/login/code?return=/account/factors/remove")
            browser.submit(code=totp(key))
            self.assert_at("/account/factors/remove")
            self.look()
        with self.step("the way back changes nothing"):
            browser.press("Back to your account")
            self.assertIn("10 of 10 left", browser.text)
        with self.step("a button removes it"):
            browser.press("Remove the authenticator app")
            browser.press("Remove")
            self.assert_at("/account?note=factor_removed")
            self.assertIn("Your authenticator app is removed", browser.text)
            self.look()
        with self.step("the password is enough again"):
            browser.press("Log out")
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account")

    def test_required(self):
        "Where a factor is required, sign-up and login lead to an authenticator app"
        for scripts, width in MODES:
            with self.step(f"scripts {scripts}, {width} px"):
                self.begin(settings={"factors": "required"}, scripts=scripts, width=width)
                self.browser.open("/setup")
                self.browser.submit(email_field="ada@example.org", username="ada", password=PASSWORD)
                self.assert_at("/account/authenticator?note=factor_needed")
                self.assertIn("This service asks for a second factor", self.browser.text)
                self.assertNotIn("Log out", self.browser.text)
                self.look()
                self.browser.open("/account")
                self.assert_at("/login?return=/account")
                self.browser.submit(username="ada", password=PASSWORD)
                self.assert_at("/account/authenticator?note=factor_needed&return=/account")
                key = self.key()
                self.look()
                self.browser.submit(code=totp(key))
                self.assert_saved_codes()
                self.browser.press("I have saved them")
                self.assert_at("/account")

    def test_languages(self):
        "The pages of second factors are in Portuguese too"
        browser = self.browser
        self.begin(language="pt", width=320)
        self.service.create()
        key, _ = self.service.add_factor()
        browser.open("/login")
        browser.submit(username="ada", password=PASSWORD)
        self.look()
        browser.submit(code=totp(key))
        self.assert_at("/account")
        self.look()
        browser.open("/account/factors/remove")
        self.look()
