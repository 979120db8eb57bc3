"""The pages for administrators, wide and narrow, with and without scripts."""

from browser import By
from case import PageCase, in_each_mode
from service import PASSWORD, totp


class Administration(PageCase):
    def begin(self, *flags, **mode):
        super().begin(*flags, **mode)
        self.service.latchkey("groups", "create", "staff", "--title", "Everyone who works here")
        self.service.create("olga")
        self.service.latchkey("groups", "create", "admins")
        self.service.latchkey("groups", "add", "admins", "olga")
        for name in ("ada", "grace"):
            self.service.create(name)

    def log_in_as_administrator(self):
        """Logs in, and adds the second factor that the first visit asks for."""
        browser = self.browser
        browser.open("/login")
        browser.submit(username="olga", password=PASSWORD)
        browser.open("/admin")
        self.assert_at("/account/authenticator?note=admin_factor&return=/admin")
        self.assertIn("Administrators need a second factor", browser.text)
        browser.driver.find_element(By.CSS_SELECTOR, "details summary").click()
        key = "".join(browser.driver.find_element(By.ID, "key").text.split())
        browser.submit(code=totp(key))
        browser.press("I have saved them")
        self.assert_at("/admin")

    def press_in(self, words, selector):
        """Presses the button or link with these words inside an element."""
        place = self.browser.driver.find_element(By.CSS_SELECTOR, selector)
        for element in place.find_elements(By.CSS_SELECTOR, "a, button"):
            if element.text == words:
                return self.browser.leave(element.click)
        self.fail(f"no {words} in {selector}: {self.browser.text}")

    @in_each_mode
    def test_every_page(self):
        "Every page of the administration is sound"
        browser = self.browser
        self.service.latchkey("applications", "add", "wiki", "--redirect", "https://wiki.example.org/cb")
        self.service.latchkey("tokens", "create", "--name", "Edsger", "--scope", "sign-up", "--expires", "7d")
        self.log_in_as_administrator()
        self.look()
        for path in ["/people", "/people?q=zed", "/groups", "/groups/staff", "/groups/staff/rename",
                     "/groups/staff/delete", "/new-group", "/invitations", "/invite", "/sessions", "/audit",
                     "/audit?show=failures", "/applications", "/applications/wiki?who=ada", "/applications/wiki/settings",
                     "/applications/wiki/remove", "/new-application", "/settings"]:
            with self.step(f"open {path}"):
                browser.open("/admin" + path)
                self.look()
        with self.step("open a person and the confirmations"):
            browser.open("/admin/people")
            browser.press("ada")
            self.look()
            person = browser.path
            for page in ["/profile", "/disable", "/delete", "/reset-factors", "/end-sessions", "/make-administrator"]:
                browser.open(person + page)
                self.look()

    @in_each_mode
    def test_people(self):
        "An administrator finds a person, changes groups, requires a password, disables and deletes"
        browser = self.browser
        self.log_in_as_administrator()
        with self.step("search by the beginning of an address"):
            browser.open("/admin/people")
            browser.fill(q="ADA@")
            browser.press("Search")
            self.assertIn("The only one", browser.text)
            browser.press("ada")
            self.assertEqual("ada", browser.heading)
        with self.step("add to a group, which has to be chosen"):
            self.press_in("Add", "section[aria-labelledby=groups]")
            self.assertIn("There was nothing to change", browser.text)
            browser.element("join").send_keys("staff")
            self.press_in("Add", "section[aria-labelledby=groups]")
            self.assertIn("Added", browser.text)
            self.look()
        with self.step("require a new password"):
            browser.press("Require")
            self.assertIn("Must change password", browser.text)
        with self.step("a wrong e-mail address stays on the page"):
            self.press_in("Edit", "section[aria-labelledby=profile]")
            browser.submit(email_field="no address")
            self.assertEqual("no address", browser.element("email_field").get_property("value"))
            self.look()
            browser.submit(email_field="new@example.org")
            self.assertIn("Saved", browser.text)
            self.assertIn("new@example.org", browser.text)
        with self.step("disable after a question"):
            self.press_in("Disable", "section[aria-labelledby=danger]")
            self.assertEqual("Disable ada?", browser.heading)
            self.look()
            browser.press("Disable")
            self.assertIn("Disabled", browser.text)
        with self.step("delete only after the name was typed"):
            self.press_in("Delete", "section[aria-labelledby=danger]")
            browser.press("Delete permanently")
            self.assertEqual("Delete ada?", browser.heading)
            self.look()
            browser.driver.find_element(By.ID, "sure").send_keys("ada")
            browser.press("Delete permanently")
            self.assert_at("/admin/people?note=deleted")
            self.assertIn("Deleted", browser.text)
            self.assertNotIn("new@example.org", browser.text)

    @in_each_mode
    def test_invitation(self):
        "An invitation is created, its link is shown once, and it is withdrawn"
        browser = self.browser
        self.log_in_as_administrator()
        browser.open("/admin/people")
        browser.press("Invite")
        browser.submit()
        self.assertIn("name", browser.text.lower())
        self.look()
        with self.step("create"):
            browser.submit(name="Edsger")
            self.assertIn("Invitation for Edsger created", browser.text)
            link = browser.driver.find_element(By.ID, "secret").get_property("value")
            self.assertIn("/setup?invitation=lko_", link)
            copy = browser.driver.find_element(By.CSS_SELECTOR, "[data-copy]")
            self.assertEqual(browser.scripts, copy.is_displayed(), "Copy needs the script")
            self.look()
        with self.step("withdraw"):
            browser.open("/admin/invitations")
            self.assertNotIn("lko_", browser.driver.page_source)
            browser.press("Withdraw")
            self.assertIn("Its link stops working", browser.text)
            self.look()
            browser.press("Withdraw")
            self.assertIn("Invitation withdrawn", browser.text)

    @in_each_mode
    def test_strangers(self):
        "A logged-in stranger sees nothing of the administration"
        browser = self.browser
        self.log_in("alan")
        self.assertNotIn("Administration", browser.text)
        browser.open("/admin/people")
        self.assertEqual("Page not found", browser.heading)
