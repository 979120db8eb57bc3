"""The behaviour that the script adds."""

import json
import pathlib
import tempfile

from selenium.webdriver.common.action_chains import ActionChains

from browser import By, Keys
from case import PageCase
from service import PASSWORD, ROOT, wait


class Script(PageCase):
    def test_check(self):
        "A field is checked when it is left, and its error goes while it is corrected"
        browser = self.browser
        self.begin()
        browser.open("/setup")
        with self.step("an empty field that nobody touched has no error"):
            browser.type(Keys.TAB)
            browser.type("ada", Keys.TAB)
            wait(lambda: self.checks())
            self.assertFalse(browser.driver.find_elements(By.CSS_SELECTOR, "[aria-invalid]"))
        with self.step("a wrong value has one, with the words of the service"):
            browser.fill(email_field="ada@localhost")
            browser.type(Keys.TAB)
            wait(lambda: browser.error("email_field"))
            self.assertEqual("Enter a valid e-mail address, such as ada@example.org", browser.error("email_field"))
            self.assertEqual("true", browser.element("email_field").get_attribute("aria-invalid"))
            self.look()
        with self.step("the error goes with the first key, and stays away once the value is right"):
            browser.element("email_field").send_keys(Keys.BACKSPACE)
            self.assertEqual("", browser.error("email_field"))
            browser.fill(email_field="ada@example.org")
            count = self.checks()
            browser.type(Keys.TAB)
            wait(lambda: self.checks() > count)
            self.assertEqual("", browser.error("email_field"))
            self.assertIsNone(browser.element("email_field").get_attribute("aria-invalid"))
        with self.step("no check says whether a name is taken"):
            self.service.create("eve")
            browser.fill(username="eve")
            count = self.checks()
            browser.type(Keys.TAB)
            wait(lambda: self.checks() > count)
            self.assertEqual("", browser.error("username"))

    def checks(self):
        return sum(1 for request in self.service.requests() if (request["route"] or "").endswith("/validate"))

    def test_press(self):
        "An error that appears while the button is down does not take the click away"
        browser = self.browser
        self.begin()
        browser.open("/setup")
        browser.fill(email_field="ada@example.org", username="ada", password="short")
        # The strength of the password appears only now, and moves the button.
        wait(lambda: browser.driver.find_elements(By.CSS_SELECTOR, ".meter .bad"))
        button = browser.element("submit")
        before = button.rect["y"]
        with self.step("the check answers while the button is down, and nothing moves"):
            count = self.checks()
            ActionChains(browser.driver).click_and_hold(button).perform()
            wait(lambda: self.checks() > count)
            browser.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            self.assertEqual(before, button.rect["y"])
        with self.step("the form is sent"):
            browser.leave(lambda: ActionChains(browser.driver).release().perform())
            self.assert_refused("password")
        with self.step("the error that the service has shown goes with the first key of the correction"):
            browser.element("password").send_keys("x")
            self.assertEqual("", browser.error("password"))
            self.assertIsNone(browser.element("password").get_attribute("aria-invalid"))

    def test_meter(self):
        "The strength of a new password shows from its first character on, and then nothing moves"
        browser = self.browser
        self.begin()
        browser.open("/setup")

        def strength():
            meter = browser.driver.find_element(By.CLASS_NAME, "meter")
            return (len(meter.find_elements(By.CLASS_NAME, "bad")), len(meter.find_elements(By.CLASS_NAME, "good")),
                    meter.find_element(By.XPATH, "following-sibling::p").text)

        with self.step("an empty field has no bar"):
            self.assertFalse(browser.driver.find_elements(By.CLASS_NAME, "meter"))
            self.assertFalse(browser.driver.find_elements(By.CLASS_NAME, "met"))
            self.look()
        with self.step("a weak password"):
            browser.fill(password="password")
            wait(lambda: browser.driver.find_elements(By.CSS_SELECTOR, ".meter .bad"))
            place = browser.element("submit").rect["y"]
            self.assertTrue(strength()[2].startswith("Very weak"), strength())
            self.look()
        with self.step("a strong one"):
            browser.fill(password=PASSWORD)
            wait(lambda: strength()[1] >= 3)
            self.assertEqual(0, strength()[0])
            self.assertRegex(strength()[2], "^(Very strong|Strong)")
            self.assertTrue(browser.driver.find_elements(By.CSS_SELECTOR, ".need.met"), "long enough")
            self.assertEqual(place, browser.element("submit").rect["y"], "nothing moves")
            self.look()
        with self.step("the words are read to people who do not see the segments"):
            words = browser.driver.find_element(By.CSS_SELECTOR, ".meter + p")
            self.assertEqual("polite", words.get_attribute("aria-live"))
        with self.step("an empty field has no bar again"):
            browser.type(Keys.CONTROL, "a")
            browser.type(Keys.BACKSPACE)
            wait(lambda: not browser.driver.find_elements(By.CSS_SELECTOR, ".meter, .met"))
        with self.step("the login has none"):
            browser.open("/login")
            self.assertFalse(browser.driver.find_elements(By.CLASS_NAME, "meter"))

    def test_show(self):
        "A password can be shown, and is hidden again before it is sent"
        browser = self.browser
        self.begin()
        self.service.create()
        browser.open("/login")
        browser.fill(username="ada", password=PASSWORD)
        toggle = browser.driver.find_element(By.CLASS_NAME, "toggle")
        field = browser.element("password")
        with self.step("it is hidden at first"):
            self.assertEqual(("password", "Show", "false"), self.state(field, toggle))
        with self.step("a click shows it"):
            toggle.click()
            self.assertEqual(("text", "Hide", "true"), self.state(field, toggle))
            self.assertEqual(PASSWORD, field.get_property("value"))
            self.look()
        with self.step("another one hides it"):
            toggle.click()
            self.assertEqual(("password", "Show", "false"), self.state(field, toggle))
        with self.step("the keyboard shows it too, and what is sent is hidden"):
            field.send_keys(Keys.TAB)
            browser.type(Keys.SPACE)
            self.assertEqual("text", field.get_attribute("type"))
            kind = browser.run(
                "const form = document.querySelector('form'), field = arguments[0];"
                "form.addEventListener('submit', (event) => event.preventDefault(), {once: true});"
                "form.requestSubmit(); return field.type", field)
            self.assertEqual("password", kind)

    @staticmethod
    def state(field, toggle):
        return field.get_attribute("type"), toggle.text, toggle.get_attribute("aria-pressed")

    def test_throttle(self):
        "A page counts down while attempts are refused, and then lets one try again"
        for scripts in (True, False):
            with self.subTest(scripts=scripts):
                self.throttle(scripts)

    def throttle(self, scripts):
        browser = self.browser
        self.begin(scripts=scripts)
        self.service.create()
        browser.open("/login")

        def is_refused():
            browser.submit(username="ada", password="wrong")
            return "data-retry" in browser.driver.find_element(By.TAG_NAME, "form").get_attribute("outerHTML")

        with self.step("after a few wrong passwords the page says how long to wait"):
            wait(is_refused, 30)
            self.assertEqual("summary", browser.focus)
            self.assertEqual("ada", browser.element("username").get_property("value"))
            self.assertRegex(browser.element("summary").text, r"again in \d+ seconds?\.")
            self.look()
        if not scripts:
            return
        summary = browser.element("summary")
        with self.step("the button waits, and screen readers hear it once"):
            self.assertFalse(browser.element("submit").is_enabled())
            self.assertEqual("off", summary.get_attribute("aria-live"))
        with self.step("at its end the page says so"):
            wait(lambda: browser.element("submit").is_enabled(), 30)
            self.assertIn("You can try again now", summary.text)
            self.assertEqual("polite", summary.get_attribute("aria-live"))
            self.look()
        with self.step("the right password logs in"):
            browser.submit(password=PASSWORD)
            self.assert_at("/account")

    def test_every_kind_of_field(self):
        "A form with every kind of field, pages and conditions is filled in"
        for scripts in (True, False):
            with self.subTest(scripts=scripts):
                self.every_kind(scripts)

    def every_kind(self, scripts):
        browser = self.browser
        self.begin(forms=self.registration(), scripts=scripts, width=320 if scripts else 1280)
        browser.open("/setup")

        def option(name, label):
            field = browser.element(name)
            return next(one for one in field.find_elements(By.TAG_NAME, "label") if one.text == label)

        with self.step("the page as it opens"):
            self.assertEqual("Register for the conference", browser.heading)
            self.look()
        with self.step("a company's name is asked of companies"):
            self.assertEqual(not scripts, browser.element("company").is_displayed())
            self.assertEqual(not scripts, "Only if You attend as is A company" in browser.text)
            option("attends_as", "A company").click()
            self.assertTrue(browser.element("company").is_displayed())
            self.look()
        with self.step("an empty form says what each field needs, in the order of the page"):
            browser.submit()
            names = [link.get_attribute("href").split("#field-")[1]
                     for link in browser.element("summary").find_elements(By.TAG_NAME, "a")]
            self.assertEqual(
                ["email_field", "username", "password", "full_name", "born", "company", "shirt", "topics", "terms"],
                names)
            self.look()
        with self.step("what was chosen stays chosen"):
            self.assertTrue(option("attends_as", "A company").find_element(By.TAG_NAME, "input").is_selected())
        with self.step("the whole form"):
            browser.fill(email_field="ada@example.org", username="ada", password=PASSWORD, full_name="Ada Lovelace",
                         company="Engine & Sons")
            browser.element("born").send_keys("12101915")
            option("shirt", "M").click()
            option("topics", "Swift").click()
            option("topics", "Linux").click()
            browser.element("terms").click()
            browser.submit()
            self.assert_at("/account?note=welcome")
            account = json.loads(self.service.latchkey("accounts", "show", "ada", "--json"))
            stored = json.dumps(account)
            for text in ("Ada Lovelace", "1915-12-10", "Engine & Sons", "Swift", "Linux"):
                self.assertIn(text, stored)

    def registration(self):
        """A folder in which the sign-up form is the registration form, which has fields of every kind."""
        folder = tempfile.TemporaryDirectory(prefix="latchkey-forms-")
        self.addCleanup(folder.cleanup)
        form = json.loads((ROOT / "Forms/registration.json").read_text())
        form["form"] = "setup"
        del form["$schema"]
        (pathlib.Path(folder.name) / "setup.json").write_text(json.dumps(form))
        return folder.name
