"""A person with a browser that has cookies, follows redirects and fills in forms, but runs no script."""

import html.parser
import http.cookiejar
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request


class Arrived(Exception):
    """The browser would open an address of an application that does not listen there."""

    def __init__(self, url):
        super().__init__(url)
        self.parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        self.url = url


class Page(html.parser.HTMLParser):
    """The forms of a page, and where its `meta refresh` leads."""

    def __init__(self, response):
        super().__init__()
        self.url, self.status, self.headers = response.url, response.status, response.headers
        self.text = response.read().decode()
        self.forms, self.refresh = [], None
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form":
            self.forms.append(
                {"action": values.get("action", ""), "fields": {}, "answers": {}, "password": None, "user": None})
        elif tag == "meta" and values.get("http-equiv") == "refresh":
            self.refresh = re.sub(r"^\d+;\s*url=", "", values["content"], flags=re.IGNORECASE)
        elif tag in ("input", "button") and self.forms and values.get("name"):
            form = self.forms[-1]
            name, kind = values["name"], values.get("type", "text" if tag == "input" else "submit")
            if kind == "password":
                form["password"] = name
            elif kind in ("text", "email") and not form["user"]:
                form["user"] = name
            if kind == "submit":
                form["answers"][values["value"]] = name
            elif kind != "checkbox":
                form["fields"][name] = values.get("value", "")


class Person(urllib.request.HTTPRedirectHandler):
    """Logs in where a page asks for it, and gives the answer to an application. Stops at addresses that start with
    `stop`. `trust` is a file of certificates."""

    def __init__(self, user, password, stop=None, answer="allow", trust=None):
        self.user, self.password, self.stop, self.answer = user, password, stop, answer
        self.visited = []
        self.logins = 0
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=trust)), self)

    def redirect_request(self, request, file, code, message, headers, url):
        self.go(url)
        return super().redirect_request(request, file, code, message, headers, url)

    def go(self, url):
        self.visited.append(url)
        if self.stop and url.startswith(self.stop):
            raise Arrived(url)

    def page(self, url, fields=None):
        """Opens one page, or sends a form."""
        self.go(url)
        origin = "://".join(urllib.parse.urlsplit(url)[:2])
        headers = {"Accept": "text/html"} | ({"Origin": origin} if fields else {})
        request = urllib.request.Request(url, urllib.parse.urlencode(fields).encode() if fields else None, headers)
        try:
            return Page(self.opener.open(request, timeout=20))
        except urllib.error.HTTPError as error:
            return Page(error)

    def visit(self, url, provider):
        """Opens a page, and does what the pages of the provider ask for. Returns the next page of an application, or
        the page after the answer."""
        return self.pages(self.page(url), provider)

    def pages(self, page, provider):
        """As `visit`, from a page that is open."""
        has_answered = False
        for _ in range(12):
            if not page.url.startswith(provider + "/"):
                return page
            if page.refresh:
                page = self.page(urllib.parse.urljoin(page.url, page.refresh))
                continue
            if has_answered:
                return page
            form = next((form for form in page.forms if form["password"]), page.forms[-1] if page.forms else None)
            if form is None:
                break
            fields = dict(form["fields"])
            if form["password"]:
                self.logins += 1
                fields |= {form["user"]: self.user, form["password"]: self.password}
            elif self.answer in form["answers"]:
                fields[form["answers"][self.answer]] = self.answer
                has_answered = True
            page = self.page(urllib.parse.urljoin(page.url, form["action"]), fields)
        raise AssertionError(f"stuck on {page.url}: {page.status} {page.text[:2000]}")
