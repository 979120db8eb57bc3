"""The base of the page tests: one browser for all tests, one service for each, and named steps."""

import contextlib
import itertools
import re
import unittest

from browser import PICTURES, Browser
from service import PASSWORD, Service

# Each flow is completed with and without scripts, narrow and wide.
MODES = list(itertools.product([True, False], [320, 1280]))


class StepFailure(AssertionError):
    """A failure with all details, so that no stack trace is needed."""


def in_each_mode(method):
    """Creates a test for each mode."""
    method.modes = MODES
    return method


class PageCase(unittest.TestCase):
    browser: Browser
    service: Service

    def __init_subclass__(cls):
        for name, method in list(vars(cls).items()):
            for scripts, width in getattr(method, "modes", []):
                def test(self, method=method, scripts=scripts, width=width):
                    self.begin(scripts=scripts, width=width)
                    method(self)
                test.__doc__ = f"{method.__doc__} ({'with' if scripts else 'without'} scripts, {width} px)"
                setattr(cls, f"{name}_{'on' if scripts else 'off'}_{width}", test)
            if hasattr(method, "modes"):
                delattr(cls, name)

    def begin(self, *flags, forms=None, settings={}, **mode):
        """Starts a service with an empty store, and a browser without history. Call it once in each test."""
        self.service = Service(*flags, forms=forms, settings=settings)
        self.addCleanup(self.service.stop)
        self.browser.begin(self.service.url, **mode)
        # Every state is checked in both colour schemes: light in the wide mode and dark in the narrow one.
        if self.browser.width < 480:
            self.browser.prefer(color_scheme="dark")

    @contextlib.contextmanager
    def step(self, words):
        """Names the next step, for the message and the picture of a failure."""
        try:
            yield
        except Exception as error:
            picture = PICTURES / (re.sub(r"[^a-z0-9]+", "-", f"{self._testMethodName} {words}".lower()) + ".png")
            with contextlib.suppress(Exception):
                self.browser.picture(picture)
            kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
            raise StepFailure(f"step: {words}\n{kind}{error}\nat {self.browser.path}, see {picture}") from error

    def look(self):
        """Checks the current page for everything that applies to every page."""
        problems = self.browser.problems()
        if problems:
            raise AssertionError("\n".join(problems))

    def assert_at(self, path):
        self.assertEqual(path, self.browser.path, self.browser.text)

    def assert_refused(self, *fields, keeps={}, empty=()):
        """Checks that the page lists the refusals, links to their fields, and keeps the values that are not secret."""
        browser = self.browser
        if len(fields) == 1:
            self.assertEqual(f"field-{fields[0]}", browser.focus, "the only refused field takes the focus")
            self.assertFalse(browser.driver.find_elements("id", "summary"), "its error is enough")
        else:
            self.assertEqual("summary", browser.focus, "the summary takes the focus")
            self.assertEqual("alert", browser.element("summary").get_attribute("role"))
        for field in fields:
            self.assertEqual("true", browser.element(field).get_attribute("aria-invalid"), field)
            self.assertTrue(browser.error(field), f"{field} has an error in words")
            described = browser.element(field).get_attribute("aria-describedby")
            self.assertIn(f"field-{field}-error", described.split())
        for field, value in keeps.items():
            self.assertEqual(value, browser.element(field).get_property("value"), field)
        for field in empty:
            self.assertEqual("", browser.element(field).get_property("value"), f"{field} is a secret")
        if len(fields) == 1:
            return self.look()
        links = browser.element("summary").find_elements("tag name", "a")
        self.assertEqual([f"field-{field}" for field in fields],
                         [link.get_attribute("href").split("#")[1] for link in links])
        for link, field in zip(links, fields):
            link.click()
            self.assertEqual(f"field-{field}", browser.focus, "a link of the summary leads to its field")
        self.look()

    def log_in(self, name="ada"):
        """Creates an account and logs in to it."""
        self.service.create(name)
        self.browser.open("/login")
        self.browser.submit(username=name, password=PASSWORD)
        self.assert_at("/account")
