"""Properties of every page: size, languages, colours, motion, themes."""

import json
import pathlib
import shutil
import tempfile

from browser import By
from case import PageCase
from service import ROOT, wait

KIB = 1024


class Pages(PageCase):
    PUBLIC = ["/setup", "/login", "/forgot-password", "/reset-password"]
    OWN = ["/account", "/account/profile", "/account/password", "/account/delete", "/account/confirm"]

    def test_weight(self):
        "Every page with all it loads is lighter than 30 KiB, and each script than 8 KiB"
        browser = self.browser
        self.begin()
        heaviest = 0
        for path in [*self.PUBLIC, None, *self.OWN]:
            if path is None:
                self.log_in()
                continue
            with self.step(path):
                browser.command("Network.clearBrowserCache")
                browser.drain()
                browser.open(path)
                self.assert_at(path)
                sizes, kinds = {}, {}
                for method, values in browser.events():
                    if method == "Network.responseReceived":
                        kinds[values["requestId"]] = values["type"]
                    elif method == "Network.loadingFinished":
                        sizes[values["requestId"]] = values["encodedDataLength"]
                # A page that suggests passkeys fetches its challenge.
                self.assertEqual({"Document", "Stylesheet", "Script"}, set(kinds.values()) - {"Other", "Fetch"})
                total = sum(sizes.values())
                heaviest = max(heaviest, total)
                self.assertLess(total, 30 * KIB, sizes)
                scripts = [size for key, size in sizes.items() if kinds[key] == "Script"]
                # The browser includes the headers. A test of the assets limits the files themselves.
                self.assertLess(max(scripts), 8 * KIB + 512)
        print(f"  the heaviest page weighs {heaviest / KIB:.1f} KiB")

    def test_second_page(self):
        "The second page loads nothing but itself"
        self.begin()
        self.browser.open("/login")
        self.browser.open("/forgot-password")
        routes = [request["route"] for request in self.service.requests()]
        self.assertIn("/forgot-password", routes)
        self.assertEqual(len(routes), len(set(routes)), routes)

    def test_languages(self):
        "Pages and verdicts are in the language of the browser, of Portugal or else English"
        browser = self.browser
        for header, language, title, error in [
            ("pt-PT,pt;q=0.9,en;q=0.5", "pt", "Iniciar sessão", "é preciso preencher"), ("de", "en", "Log in", "is required"),
        ]:
            with self.step(header):
                self.begin(language=header, width=320)
                browser.open("/login")
                self.assertEqual((language, title), (browser.run("return document.documentElement.lang"),
                                                     browser.heading))
                self.look()
                browser.submit()
                self.assertIn(error, browser.error("password"))
                self.look()
                for path in self.PUBLIC:
                    browser.open(path)
                    self.look()
        with self.step("the script says it in the same language"):
            self.begin(language="pt")
            browser.open("/setup")
            self.assertEqual("Mostrar", browser.driver.find_element(By.CLASS_NAME, "toggle").text)
            browser.fill(email_field="ada")
            browser.element("username").click()
            wait(lambda: "endereço" in browser.error("email_field"))
        with self.step("the pages of an account"):
            self.log_in()
            for path in self.OWN:
                browser.open(path)
                self.look()

    def test_translations(self):
        "A file adds a language to all pages, including a right-to-left language"
        browser = self.browser
        folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-languages-"))
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(ROOT / "Languages/de.json", folder)
        arabic = {"form.login.title": "تسجيل الدخول", "form.login.username.label": "اسم المستخدم", "web.admin_people": ""}
        (folder / "ar.json").write_text(json.dumps(arabic))
        for header, language, direction, title in [
            ("de-AT,de;q=0.9", "de", "ltr", "Anmelden"), ("ar-EG", "ar", "rtl", "تسجيل الدخول"),
        ]:
            with self.step(header):
                self.begin(language=header, width=320, settings={"languages": str(folder)})
                browser.open("/login")
                self.assertEqual([language, direction], browser.run(
                    "return [document.documentElement.lang, getComputedStyle(document.documentElement).direction]"))
                self.assertEqual(title, browser.heading)
                self.look()
                browser.submit()
                self.look()
                for path in self.PUBLIC:
                    browser.open(path)
                    self.look()
            with self.step(header + ": the pages of an account"):
                self.log_in()
                for path in self.OWN:
                    browser.open(path)
                    self.look()
                if language == "de":
                    self.assertNotRegex(browser.text, r"\b(Password|Save|the|your)\b")

    def test_refusals(self):
        "A page that does not exist, or that is closed, says so and leads on"
        browser = self.browser
        self.begin("--registration", "closed")
        for path, title in [("/nowhere", "Page not found"), ("/setup", "Sign-up is closed")]:
            with self.step(path):
                browser.open(path)
                self.assertEqual(title, browser.heading)
                self.assertEqual([], browser.violations())
                browser.drain()
                browser.press("Go to the start page")
                self.assert_at("/login")
        self.assertNotIn("Create an account", browser.text)

    def test_colours(self):
        "Every page is checked in light and in dark, and both differ"
        browser = self.browser
        self.begin()
        self.log_in()
        for path in [*self.OWN, "/logged-out", *self.PUBLIC]:
            if path == "/logged-out":
                browser.command("Network.clearBrowserCookies")
                continue
            colours = set()
            for scheme in ("light", "dark"):
                with self.step(f"{path} {scheme}"):
                    browser.prefer(color_scheme=scheme)
                    browser.open(path)
                    self.assert_at(path)
                    colours.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
                    self.look()
            self.assertEqual(2, len(colours))
        with self.step("forced colours, as Windows has them"):
            browser.command("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
            browser.open("/setup")
            # In this mode the user determines the colours, so the page is not responsible for their contrast.
            self.assertEqual([], [one for one in browser.violations() if "color-contrast" not in one])
            colours = browser.run("const s = getComputedStyle(document.getElementById('submit'));"
                                  "return [s.color, s.backgroundColor, s.borderTopColor]")
            self.assertNotEqual(colours[0], colours[1])
            self.assertNotEqual(colours[2], colours[1], "a button has an edge where it has no colour")

    def test_movement(self):
        "Only a busy button moves, and nothing for people who prefer that"
        script = ("document.getElementById('submit').setAttribute('aria-busy', 'true');"
                  "return [...document.querySelectorAll('*')].flatMap((e) => [null, '::before'].flatMap((part) => {"
                  "const s = getComputedStyle(e, part);"
                  "return [...s.transitionDuration.split(', '), ...s.animationDuration.split(', ')] }))"
                  ".map(parseFloat).filter(Boolean)")
        self.begin()
        self.browser.open("/setup")
        self.assertEqual([0.8], self.browser.run(script))
        self.browser.prefer(reduced_motion="reduce")
        self.assertEqual([], self.browser.run(script))

    def test_sizes(self):
        "Fields and buttons are 44 px high, and a large text does not break a page"
        browser = self.browser
        self.begin(width=320)
        for path in self.PUBLIC:
            with self.step(path):
                browser.open(path)
                for element in browser.driver.find_elements(By.CSS_SELECTOR, "main input:not([type=hidden], [hidden]), #submit"):
                    self.assertGreaterEqual(element.size["height"], 44)
        with self.step("twice the size (WCAG 2.2, 1.4.4)"):
            browser.open("/setup")
            browser.run("document.documentElement.style.fontSize = '200%'")
            self.look()

    def test_theme(self):
        "A theme changes colours, logo and footer, and nothing of it runs"
        browser = self.browser
        with tempfile.TemporaryDirectory(prefix="latchkey-theme-") as folder:
            theme = pathlib.Path(folder)
            (theme / "theme.css").write_text(
                "@import url(https://example.org/x.css); :root { --accent: #7c2d12; --background: #fff7ed }"
                " main::after { content: url(https://example.org/x.png) }")
            (theme / "logo.svg").write_text(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40' width='40' height='40'>"
                "<circle cx='20' cy='20' r='18' fill='#7c2d12'/><script>document.title = 'run'</script></svg>")
            (theme / "footer.txt").write_text("Help: <b>room 4</b>\nOpen from 9 to 17\n")
            self.begin("--theme", folder)
        browser.open("/login")
        with self.step("the page"):
            header = browser.driver.find_element(By.TAG_NAME, "header")
            self.assertEqual("Latchkey", header.text)
            logo = header.find_element(By.TAG_NAME, "img")
            self.assertEqual(("", 32), (logo.get_attribute("alt"), logo.size["height"]))
            footer = browser.driver.find_element(By.TAG_NAME, "footer")
            self.assertEqual("Help: <b>room 4</b>\nOpen from 9 to 17", footer.text)
            self.assertEqual("rgba(124, 45, 18, 1)", browser.element("submit").value_of_css_property("background-color"))
        with self.step("nothing comes from elsewhere"):
            answered = [values["response"]["url"] for method, values in browser.events()
                        if method == "Network.responseReceived"]
            self.assertFalse([url for url in answered if not url.startswith(self.service.url)])
            self.assertEqual([], browser.violations())
            browser.driver.get_log("browser")
        with self.step("the logo by itself runs nothing"):
            browser.driver.get(logo.get_attribute("src"))
            self.assertNotEqual("run", browser.driver.title)
            browser.driver.get_log("browser")
            browser.events()
