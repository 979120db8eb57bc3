"""Unusual ways through the pages."""

from browser import Keys
from case import PageCase
from service import PASSWORD


class Navigation(PageCase):
    def test_back(self):
        "The Back button shows the form again, and it still works"
        browser = self.browser
        self.begin()
        self.service.create()
        browser.open("/login")
        browser.submit(username="ada", password="wrong")
        with self.step("back from a refusal"):
            browser.leave(browser.driver.back)
            self.assertEqual("Log in", browser.heading)
            self.assertTrue(browser.element("submit").is_enabled())
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account")
        with self.step("back after the login leads to the account, which needs no other login"):
            browser.driver.back()
            browser.open("/login")
            self.assert_at("/account")
        with self.step("back after logging out shows nothing of the account"):
            browser.press("Log out")
            browser.driver.back()
            self.assertEqual("Log in", browser.heading)
            self.assertNotIn("ada@example.org", browser.text)

    def test_two_tabs(self):
        "Two tabs with the same form both work"
        browser = self.browser
        self.begin()
        self.service.create()
        browser.open("/login")
        first = browser.tab("/login")
        with self.step("one logs in"):
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account")
        with self.step("the other, opened before, logs in too"):
            first()
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account")
        with self.step("a change of password in one"):
            browser.open("/account/password")
            second = browser.tab("/account/password")
            browser.submit(current_password=PASSWORD, password="another battery staple")
            self.assert_at("/account?note=changed")
            second()
        with self.step("leaves the form of the other usable"):
            browser.submit(current_password=PASSWORD, password="third battery staple")
            self.assert_refused("current_password", empty=["current_password", "password"])
            browser.submit(current_password="another battery staple", password="third battery staple")
            self.assert_at("/account?note=changed")

    def test_bookmarks(self):
        "A bookmarked page opens, with its note or without a session"
        browser = self.browser
        self.begin()
        self.service.create()
        for path, expected in [
            ("/reset-password?note=sent", "/reset-password?note=sent"), ("/login?note=out", "/login?note=out"),
            ("/account/profile", "/login?return=/account/profile"),
            ("/account/delete", "/login?return=/account/delete"),
            ("/account/confirm?return=/account/profile", "/login?return=/account/confirm"),
        ]:
            with self.step(path):
                browser.open(path)
                self.assert_at(expected)
                self.look()
        with self.step("and leads there after the login"):
            browser.open("/account/profile")
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account/profile")
        with self.step("a note that nobody wrote is not shown"):
            browser.open("/account?note=<b>gone</b>")
            self.assertNotIn("gone", browser.text)
            browser.open("/account?note=constructor")
            self.assertFalse(browser.driver.find_elements("class name", "notice"))

    def test_revoked(self):
        "A session that is ended elsewhere leads to the login, and back"
        browser = self.browser
        self.begin()
        self.log_in()
        browser.open("/account/password")
        self.service.latchkey("accounts", "disable", "ada")
        self.service.latchkey("accounts", "enable", "ada")
        with self.step("a form that is sent after that"):
            browser.submit(current_password=PASSWORD, password="another battery staple")
            self.assert_at("/login?return=/account/password")
            self.look()
        with self.step("the password is still the old one"):
            browser.submit(username="ada", password=PASSWORD)
            self.assert_at("/account/password")
        with self.step("logging out without a session"):
            browser.open("/account")
            self.service.latchkey("accounts", "disable", "ada")
            self.service.latchkey("accounts", "enable", "ada")
            browser.press("Log out")
            self.assert_at("/login?note=out")

    def test_keyboard(self):
        "Everything works with the keyboard alone, in the order of the page"
        browser = self.browser
        self.begin()
        with self.step("sign-up: Tab goes through the page in order, and the focus is always seen"):
            browser.open("/setup")
            seen = []
            for _ in range(7):
                seen.append(browser.focus)
                outline = browser.run(
                    "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]")
                self.assertEqual(["solid", "3px"], outline, seen)
                browser.type(Keys.TAB)
            self.assertEqual(["field-email_field", "field-username", "field-password", "Show", "submit",
                              "Log in instead", "Forgot password?"], seen)
        with self.step("Enter in the last field sends the form"):
            browser.open("/setup")
            browser.type("ada@example.org", Keys.TAB)
            browser.type("ada", Keys.TAB)
            browser.type("short")
            browser.leave(lambda: browser.type(Keys.ENTER))
        with self.step("the refused field has the focus"):
            self.assertEqual("field-password", browser.focus)
            browser.type(PASSWORD)
            browser.leave(lambda: browser.type(Keys.ENTER))
            self.assert_at("/account?note=welcome")
        with self.step("the account's links and buttons"):
            browser.driver.find_element("tag name", "body").send_keys(Keys.TAB)
            seen = [browser.focus]
            for _ in range(11):
                browser.type(Keys.TAB)
                seen.append(browser.focus)
            self.assertEqual(
                ["Skip to content", "Latchkey", "ada", "Log out", "Send a link", "Edit profile", "Change", "Add a passkey",
                 "Set up", "New app password", "Download", "Delete"], seen)
        with self.step("back with Shift, and Enter logs out"):
            for _ in range(8):
                browser.type(Keys.SHIFT + Keys.TAB + Keys.NULL)
            self.assertEqual("Log out", browser.focus)
            browser.leave(lambda: browser.type(Keys.ENTER))
            self.assert_at("/login?note=out")

    def test_return(self):
        "A login comes back to another site that the operator allows, and to no other"
        browser = self.browser
        self.begin()
        other = self.service.url
        self.begin("--return-origin", other)
        self.service.create()
        with self.step("an allowed one"):
            browser.open(f"/login?return={other}/forgot-password")
            browser.submit(username="ada", password="wrong")
            browser.submit(password=PASSWORD)
            self.assertEqual(other + "/forgot-password", browser.driver.current_url)
        with self.step("the session is there, and another site gets nothing"):
            browser.open("/login?return=https://evil.example/")
            self.assert_at("/account")
