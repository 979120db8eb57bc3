"""A browser that is used like by a person, and checks that apply to every page."""

import contextlib
import functools
import json
import pathlib
import zipfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from service import ROOT, wait

BUILD = ROOT / ".build/browser"
PICTURES = BUILD / "failures"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@functools.cache
def axe():
    """The script of axe-core, from the package that requirements.txt pins."""
    (package,) = BUILD.glob("axe_playwright_python-*.whl")
    with zipfile.ZipFile(package) as archive:
        return archive.read("axe_playwright_python/axe.min.js").decode()


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--disable-background-networking", "--window-size=1280,900"]:
            options.add_argument(argument)
        options.add_experimental_option(
            "prefs", {"credentials_enable_service": False, "profile.password_manager_leak_detection": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Driver("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(20)
        self.driver.set_page_load_timeout(20)
        self.features = {}
        self.origin = None

    def command(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def begin(self, origin, scripts=True, width=1280, language="en"):
        """Deletes all browsing data, as if another person used the browser."""
        self.scripts, self.width, self.origin = scripts, width, origin
        self.driver.get("about:blank")
        for handle in self.driver.window_handles[1:]:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])
        self.command("Network.enable")
        self.command("Network.clearBrowserCookies")
        self.set_up_tab()
        self.speak(language)
        self.prefer()
        self.drain()

    def set_up_tab(self):
        """Sets up what each tab needs."""
        self.command("Emulation.setScriptExecutionDisabled", value=not self.scripts)
        self.command("Emulation.setDeviceMetricsOverride", width=self.width, height=900, deviceScaleFactor=1,
                     mobile=False)

    def speak(self, language):
        self.command("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})

    def prefer(self, **features):
        """Sets media features: `prefer(color_scheme="dark")`."""
        self.features = features
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in features.items()])

    # Pages

    def open(self, path):
        self.driver.get(self.origin + path)
        self.settle()

    def settle(self):
        """Waits for the focus that the page requests, which is set with the first frame after the page has loaded."""
        with contextlib.suppress(TimeoutError):
            wait(lambda: self.run("const asked = document.querySelector('[autofocus]');"
                                  "return !asked || document.activeElement === asked"), 5)

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.origin)

    @property
    def heading(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "main").text

    @property
    def focus(self):
        """The id of the focused element, or its text if it has no id."""
        element = self.driver.switch_to.active_element
        return element.get_attribute("id") or element.text

    def element(self, name):
        """A field by its name, or any other element by its id."""
        found = self.driver.find_elements(By.ID, "field-" + name) or self.driver.find_elements(By.ID, name)
        if not found:
            raise AssertionError(f"the page {self.path} has no {name}: {self.text}")
        return found[0]

    def error(self, name):
        return self.element(f"{name}-error").text

    def fill(self, **values):
        for name, value in values.items():
            field = self.element(name)
            field.clear()
            field.send_keys(value)

    def submit(self, **values):
        """Fills in fields, presses the form's button and waits for the next page."""
        self.fill(**values)
        self.leave(self.click_submit)

    def click_submit(self):
        """Clicks the form's button. A verdict about the fields that arrives between the search for the button's place and
        the click moves the button. Then it clicks again, as a person would."""
        before = self.document
        self.element("submit").click()
        if self.scripts and self.run(
                "return performance.timeOrigin === arguments[0] && !!document.querySelector('form[data-validate]')"
                " && document.getElementById('submit').ariaBusy !== 'true'", before):
            self.element("submit").click()

    def press(self, words):
        """Presses the button or link with this text and waits for the next page."""
        for tag in ("button", "a"):
            for element in self.driver.find_elements(By.TAG_NAME, tag):
                if element.text == words or element.get_attribute("aria-label") == words:
                    return self.leave(element.click)
        raise AssertionError(f"the page {self.path} has neither a button nor a link {words!r}: {self.text}")

    def type(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def leave(self, action):
        """Waits until the action has led to another document."""
        before = self.document
        action()
        wait(lambda: self.document != before and self.run("return document.readyState") == "complete")
        self.settle()

    @property
    def document(self):
        """The time at which the document was loaded, which identifies it."""
        return self.run("return performance.timeOrigin")

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def tab(self, path):
        """Opens another tab. Returns a function that goes back to the first tab."""
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.set_up_tab()
        self.open(path)
        return lambda: self.driver.switch_to.window(first)

    def picture(self, path):
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        height = self.run("return document.documentElement.scrollHeight")
        self.command("Emulation.setDeviceMetricsOverride", width=self.width, height=max(height, 900),
                     deviceScaleFactor=1, mobile=False)
        self.driver.save_screenshot(str(path))
        self.set_up_tab()

    # Checks for every page

    def problems(self):
        """The problems of the page in its current state, as sentences; empty if there are none."""
        found = self.drain()
        sizes = self.run(
            "const e = document.documentElement; return [e.scrollWidth, e.clientWidth,"
            " document.querySelectorAll('h1').length, document.title, e.lang]")
        if sizes[0] > sizes[1]:
            found.append(f"it scrolls sideways: {sizes[0]} px in {sizes[1]} px")
        if sizes[2] != 1 or not sizes[3] or not sizes[4]:
            found.append("it needs one h1, a title and a language")
        return found + self.violations()

    def violations(self):
        """The problems that axe-core finds."""
        # The page's own scripts stay off, because the page is already loaded.
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        if not self.run("return 'axe' in window"):
            self.run(axe() + ";window.axe = axe")
        result = self.driver.execute_async_script(
            "axe.run(document, {runOnly: arguments[0], resultTypes: ['violations', 'incomplete']})"
            ".then(arguments[1], (error) => arguments[1]({violations: [{id: String(error), nodes: []}]}))", RULES)
        self.command("Emulation.setScriptExecutionDisabled", value=not self.scripts)
        unsure = [one for one in result.get("incomplete", []) if one["id"] == "color-contrast"]
        return [f"axe: {one['id']}: {node['html']} {node.get('failureSummary', '')}"
                for one in result["violations"] + unsure for node in one["nodes"] or [{"html": ""}]]

    def events(self):
        """The messages of the browser's network since the last call."""
        entries = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [(entry["method"], entry["params"]) for entry in entries if entry["method"].startswith("Network.")]

    def drain(self):
        """Requests to other origins and messages on the console since the last call."""
        found = []
        for method, values in self.events():
            if method != "Network.requestWillBeSent":
                continue
            url = values["request"]["url"]
            if not url.startswith((self.origin + "/", "about:", "data:")):
                found.append(f"it asks another origin: {url}")
        for entry in self.driver.get_log("browser"):
            # Chromium logs each page with which the service answers a refused form.
            if entry["source"] != "network" or not any(f"status of {code}" in entry["message"] for code in (422, 429)):
                found.append(f"console: {entry['message']}")
        return found

    def quit(self):
        self.driver.quit()


__all__ = ["BUILD", "PICTURES", "Browser", "By", "Keys"]
