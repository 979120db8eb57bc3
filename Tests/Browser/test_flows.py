"""Every flow, first refused and then completed."""

from case import PageCase, in_each_mode
from service import PASSWORD

NEW = "another battery staple"


class Flows(PageCase):
    @in_each_mode
    def test_sign_up(self):
        "A person signs up"
        browser = self.browser
        with self.step("the first page of an empty service is sign-up"):
            browser.open("/")
            self.assert_at("/setup")
            self.assertEqual("field-email_field", browser.focus)
            self.look()
        with self.step("an empty form is refused"):
            browser.submit()
            self.assert_refused("email_field", "username", "password")
        with self.step("wrong values are refused and kept, but no secret"):
            browser.submit(email_field="ada@localhost", username="ada", password="short")
            self.assert_refused("email_field", "password", keeps={"email_field": "ada@localhost", "username": "ada"},
                                empty=["password"])
        with self.step("right values create the account and log in"):
            browser.submit(email_field="ada@example.org", password=PASSWORD)
            self.assert_at("/account?note=welcome")
            self.assertIn("Your account is ready", browser.text)
            self.assertIn("ada@example.org", browser.text)
            self.look()
        with self.step("a name that is taken is refused"):
            browser.press("Log out")
            browser.open("/setup")
            browser.submit(email_field="eve@example.org", username="ada", password=PASSWORD)
            self.assert_refused("username", keeps={"email_field": "eve@example.org"}, empty=["password"])

    @in_each_mode
    def test_log_in_and_out(self):
        "A person logs in, and out again"
        browser = self.browser
        self.service.create()
        with self.step("the first page is the login"):
            browser.open("/")
            self.assert_at("/login")
            self.look()
        with self.step("an empty form is refused"):
            browser.submit()
            self.assert_refused("username", "password")
        with self.step("a wrong password is refused, and nothing says which of both is wrong"):
            browser.submit(username="ada", password="wrong")
            self.assert_refused("password", keeps={"username": "ada"}, empty=["password"])
            self.assertEqual("Wrong username or password", browser.error("password"))
        with self.step("the right one leads to the account"):
            browser.submit(password=PASSWORD)
            self.assert_at("/account")
            self.assertEqual("Your account", browser.heading)
            self.look()
        with self.step("the login page leads there too, while the session lasts"):
            browser.open("/login")
            self.assert_at("/account")
        with self.step("logging out ends the session"):
            browser.press("Log out")
            self.assert_at("/login?note=out")
            self.assertIn("You are logged out", browser.text)
            self.look()
            browser.open("/account")
            self.assert_at("/login?return=/account")
        with self.step("the address that was asked for comes after the login"):
            browser.open("/account/password")
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account/password")

    @in_each_mode
    def test_recovery(self):
        "A person who forgot the password sets another one"
        browser = self.browser
        self.service.create()
        with self.step("the login links to it"):
            browser.open("/login")
            browser.press("Forgot password?")
            self.assert_at("/forgot-password")
            self.look()
        with self.step("what is no address is refused"):
            browser.submit(email_field="ada")
            self.assert_refused("email_field", keeps={"email_field": "ada"})
        with self.step("a code is on its way"):
            browser.submit(email_field="ada@example.org")
            self.assertEqual("Check your e-mail", browser.heading)
            self.assertIn("If ada@example.org belongs to an account", browser.text)
            again = browser.driver.find_element("css selector", "[data-after]")
            self.assertEqual(browser.scripts, not again.is_enabled(), "the script waits before it asks again")
            self.look()
        with self.step("the code from the mail can be entered by hand"):
            browser.driver.find_element("css selector", "details summary").click()
            self.look()
            browser.fill(code="AAAA-BBBB-CCCC-DDDD-EEEE-FFFF")
            browser.press("Continue")
            self.assert_at("/reset-password")
            self.assertIn("For ada@example.org", browser.text)
            self.assertFalse(browser.element("code").is_displayed())
            self.look()
            browser.open("/reset-password")
        with self.step("a wrong code is refused and kept, but no password is"):
            browser.submit(code="AAAA-BBBB-CCCC-DDDD-EEEE-FFFF", password=NEW)
            self.assert_refused("code", empty=["password"], keeps={"code": "AAAA-BBBB-CCCC-DDDD-EEEE-FFFF"})
        with self.step("the link in the mail fills in the code, which leaves the address bar"):
            browser.open(self.service.link())
            if browser.scripts:
                self.assert_at("/reset-password")
                self.assertEqual(self.service.code(), browser.element("code").get_property("value"))
                self.assertEqual("field-password", browser.focus)
            self.look()
        with self.step("a refused password keeps the code, which need not be shown again"):
            code = {} if browser.scripts else {"code": self.service.code()}
            browser.submit(password="short", **code)
            self.assert_refused("password", empty=["password"])
            self.assertEqual(self.service.code(), browser.element("code").get_property("value"))
            self.assertFalse(browser.element("code").is_displayed())
            if browser.scripts:
                self.assertIn("For ada@example.org", browser.text)
            self.look()
        with self.step("the code sets the password"):
            browser.submit(password=NEW)
            self.assert_at("/login?note=set")
            self.assertIn("Your password is set", browser.text)
            self.look()
        with self.step("the new password logs in, and the page of the link has named the account"):
            name = browser.element("username").get_property("value")
            self.assertEqual("ada@example.org" if browser.scripts else "", name)
            browser.submit(**({} if browser.scripts else {"username": "ada"}), password=NEW)
            self.assert_at("/account")

    @in_each_mode
    def test_profile(self):
        "A person changes the profile"
        browser = self.browser
        self.log_in()
        with self.step("the form has what is stored"):
            browser.press("Edit profile")
            self.assert_at("/account/profile")
            self.assertEqual("ada@example.org", browser.element("email_field").get_property("value"))
            self.look()
        with self.step("wrong values are refused and kept"):
            browser.submit(email_field="ada@localhost", username="l l")
            self.assert_refused("email_field", "username", keeps={"email_field": "ada@localhost", "username": "l l"})
        with self.step("a new name is saved"):
            browser.submit(email_field="ada@example.org", username="lovelace")
            self.assert_at("/account?note=saved")
            self.assertIn("lovelace", browser.text)
            self.look()
        with self.step("a new address waits for its code"):
            browser.open("/account/profile")
            browser.submit(email_field="lovelace@example.org")
            self.assert_at("/account/profile?note=sent")
            self.assertEqual(1, len(browser.driver.find_elements("css selector", "main .alert, main .notice")))
            self.look()
        with self.step("the link in the mail leads there through the login"):
            browser.press("Log out")
            link = self.service.link()
            browser.open(link)
            browser.submit(username="lovelace", password=PASSWORD)
            if browser.scripts:
                self.assertEqual(self.service.code(), browser.element("code").get_property("value"))
                self.assertIn("Save to confirm lovelace@example.org", browser.text)
                self.assertNotIn("Send again", browser.text)
                self.look()
            self.assert_at("/account/profile")
        with self.step("the code proves it"):
            browser.submit(**({} if browser.scripts else {"code": self.service.code()}))
            self.assert_at("/account?note=saved")
            self.assertIn("lovelace@example.org", browser.text)
        if browser.scripts:
            with self.step("the link works only once"):
                browser.open(link)
                self.assertIn("The link from the e-mail was used already or has expired", browser.text)

    @in_each_mode
    def test_password(self):
        "A person changes the password"
        browser = self.browser
        self.log_in()
        with self.step("the account links to it"):
            browser.press("Change password")
            self.assert_at("/account/password")
            self.look()
        with self.step("a short password and an equal one are refused"):
            browser.submit(current_password=PASSWORD, password="short")
            self.assert_refused("password", empty=["current_password", "password"])
            browser.submit(current_password=PASSWORD, password=PASSWORD)
            self.assert_refused("password", empty=["current_password", "password"])
        with self.step("a wrong current password is refused"):
            browser.submit(current_password="wrong", password=NEW)
            self.assert_refused("current_password", empty=["current_password", "password"])
        with self.step("the right one changes it"):
            browser.submit(current_password=PASSWORD, password=NEW)
            self.assert_at("/account?note=changed")
            self.look()
        with self.step("only the new password logs in"):
            browser.press("Log out")
            browser.submit(username="ada", password=PASSWORD)
            self.assertEqual("field-password", browser.focus)
            browser.submit(username="ada", password=NEW)
            self.assert_at("/account")

    @in_each_mode
    def test_sessions(self):
        "A person ends other sessions"
        browser = self.browser
        self.log_in()
        for _ in range(3):
            browser.command("Network.clearBrowserCookies")
            browser.open("/login")
            browser.submit(username="ada", password=PASSWORD)

        def count():
            return len(browser.driver.find_elements("css selector", "[aria-labelledby=sessions] li"))

        with self.step("three are listed, and another page has all"):
            self.assertEqual(3, count())
            browser.press("Show all 4")
            self.assertEqual(4, count())
            self.look()
            browser.press("Back to your account")
            self.assertIn("This session", browser.text)
            self.look()
        with self.step("one ends"):
            browser.press("End")
            self.assert_at("/account?note=ended")
            self.assertEqual(3, count())
            self.look()
        with self.step("all others end"):
            browser.press("End all other sessions")
            self.assertEqual(1, count())
            self.assertIn("This session", browser.text)

    @in_each_mode
    def test_old_password(self):
        "A person whose password was asked for long ago enters it again"
        browser = self.browser
        self.log_in()
        self.service.age_passwords()
        with self.step("the profile asks for it"):
            browser.press("Edit profile")
            self.assert_at("/account/confirm?return=/account/profile")
            self.look()
        with self.step("an empty and a wrong one are refused"):
            browser.submit()
            self.assert_refused("current_password")
            browser.submit(current_password="wrong")
            self.assert_refused("current_password", empty=["current_password"])
        with self.step("the right one leads to the profile"):
            browser.submit(current_password=PASSWORD)
            self.assert_at("/account/profile")

    @in_each_mode
    def test_delete(self):
        "A person deletes the account"
        browser = self.browser
        self.log_in()
        with self.step("the account links to it"):
            browser.press("Delete account")
            self.assert_at("/account/delete")
            self.look()
        with self.step("an empty and a wrong password are refused"):
            browser.submit()
            self.assert_refused("current_password")
            browser.submit(current_password="wrong")
            self.assert_refused("current_password", empty=["current_password"])
        with self.step("the right one deletes it"):
            browser.submit(current_password=PASSWORD)
            self.assert_at("/login?note=deleted")
            self.assertIn("Your account is deleted", browser.text)
            self.look()
        with self.step("nothing is left to log in to"):
            browser.submit(username="ada", password=PASSWORD)
            self.assertEqual("field-password", browser.focus)
