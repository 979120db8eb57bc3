"""What the commands of a page cannot show: people with a browser, clients at other addresses, and settings."""

import configparser
import re
import urllib.parse

from machine import PASSWORD
from page import PAGES, Page, expect
from person import Arrived

ACCOUNTS = "https://accounts.example.org"


def check_two_hosts(machine):
    """One login opens both hosts, and an unknown person gets the login page."""
    with machine.network():
        ada = machine.person("ada")
        page = ada.page("https://wiki.example.org/page?a=b")
        expect(page.url.startswith(ACCOUNTS + "/login?"), f"no login page, but {page.url}")
        page = ada.pages(page, ACCOUNTS)
        expect((page.url, page.text.strip()) == ("https://wiki.example.org/page?a=b", "wiki.example.org: ada, staff"), f"{page.url} {page.text}")
        page = ada.page("https://desk.example.org/")
        expect((page.text.strip(), ada.logins) == ("desk.example.org: ada, staff", 1), page.text)


def check_departments(machine):
    """Each department opens its own host, and gets a reason at the other one. An invitation leads into the group."""
    with machine.network():
        for user, own, other in (("ada", "sales", "lab"), ("bob", "lab", "sales")):
            person = machine.person(user)
            page = person.visit(f"https://{own}.example.org/", ACCOUNTS)
            expect(page.text.startswith(f"{own}.example.org: {user}, "), page.text)
            page = person.page(f"https://{other}.example.org/")
            expect(page.url == f"{ACCOUNTS}/denied?group={other}", f"{page.url} {page.text}")
            expect(person.page(f"{ACCOUNTS}/admin").status == 404, "a member administers")
        page = machine.person("eve").page(f"{ACCOUNTS}/setup")
        expect("invitation" in page.text.lower(), page.text)


def check_apache(machine):
    """Apache learns the name and the groups of a person, and refuses a person outside the group."""
    with machine.network():
        for user, groups in (("ada", "staff"), ("bob", "")):
            person = machine.person(user)
            page = person.visit("https://wiki.example.org/", ACCOUNTS)
            expect(page.text.strip() == f"wiki: {user}", page.text)
            page = person.page("https://wiki.example.org/staff/")
            works = (page.status, page.text.strip()) == (200, f"staff: {groups}") if groups else page.status == 403
            expect(works, f"{page.status} {page.text}")
            page = person.visit(
                "https://wiki.example.org/openid/back?logout=https://wiki.example.org/bye.html", ACCOUNTS)
            expect("You are logged out" in page.text, page.text)


def logged_in(machine, user):
    """A person who has logged in to Latchkey and visited nothing else."""
    person = machine.person(user)
    form = next(form for form in person.page(f"{ACCOUNTS}/login").forms if form["password"])
    page = person.page(f"{ACCOUNTS}/login", form["fields"] | {form["user"]: user, form["password"]: PASSWORD})
    expect(page.url == f"{ACCOUNTS}/account", f"{page.url} {page.text}")
    return person


def app_password(machine, user):
    """Creates an app password on the page of the account, as the recipes describe it."""
    with machine.network():
        person = logged_in(machine, user)
        address = f"{ACCOUNTS}/account/app-passwords"
        form = person.page(address).forms[-1]
        page = person.page(address, form["fields"] | {form["user"]: "phone"})
    found = re.search(r"(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}", page.text)
    expect(found, f"no app password: {page.status} {page.text}")
    return found[0]


def check_radicale(machine):
    """An app password works in a calendar program and nowhere else."""
    secret = app_password(machine, "ada")
    command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-u", f"ada:{secret}", "-X", "PROPFIND"]
    expect(machine.run([*command, "https://dav.example.org/ada/work/"]) == "207", "the app password is refused")
    values = f'{{"values":{{"username":"ada","password":"{secret}"}}}}'
    status = machine.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", f"{ACCOUNTS}/api/v1/flows/login", "-H",
                          "Content-Type: application/json", "-d", values])
    expect(status == "401", f"the app password logs in: {status}")
    expect("failed" not in machine.run(["systemctl", "--failed"]).replace("0 loaded", ""), "a unit has failed")


def check_dovecot(machine):
    """An app password opens the mailbox of its owner alone."""
    secret = app_password(machine, "ada")
    inbox = machine.run(["curl", "-s", "-u", f"ada:{secret}", "imaps://mail.example.org/"])
    expect("INBOX" in inbox, inbox)
    ending = machine.run(["sh", "-c", f"curl -s -u bob:{secret} imaps://mail.example.org/; echo $?"])
    expect(ending.strip() == "67", ending)


def check_ssh(machine):
    """An app password logs in, and a disabled account does not."""
    secret = app_password(machine, "ada")
    command = ["sshpass", "-p", secret, "ssh", "-q", "-o", "StrictHostKeyChecking=accept-new", "ada@localhost", "whoami"]
    expect(machine.run(command) == "ada\n", "the app password is refused")
    machine.latchkey("accounts", "disable", "ada")
    expect(machine.run(command, check=False) == "", "a disabled account logs in")


def check_fail2ban(machine):
    """An address with many failures is blocked, and another one is not."""
    def status(address):
        command = (f"curl -s -m 5 -o /dev/null -w '%{{http_code}}' --interface {address} {ACCOUNTS}/api/v1/flows/login "
                   """-H 'Content-Type: application/json' -d '{"values":{"username":"x","password":"wrong password"}}'""")
        return machine.run(["sh", "-c", command], check=False)

    for _ in range(20):
        expect(status("203.0.113.7") in ("401", "429"), "no refusal")
    machine.wait(lambda: "203.0.113.7" in machine.run(["fail2ban-client", "status", "latchkey"]))
    machine.wait(lambda: status("203.0.113.7") == "000")
    expect(status("127.0.0.1") in ("401", "429"), "another address is blocked")
    machine.run(["fail2ban-client", "set", "latchkey", "unbanip", "203.0.113.7"])
    expect(status("203.0.113.7") in ("401", "429"), "the ban does not end")


def check_jupyterhub(machine):
    """A group gets in, another one also administers, and everyone else is refused."""
    machine.latchkey("accounts", "create", "eve", "--email", "eve@example.org", "--password-stdin", text=PASSWORD + "\n")
    machine.latchkey("groups", "add", "admins", "eve")
    hub = "https://hub.example.org/hub/"
    with machine.network():
        for user, administers in (("ada", False), ("eve", True)):
            person = machine.person(user)
            page = person.visit(hub + "oauth_login?next=%2Fhub%2Fhome", ACCOUNTS)
            expect(page.status == 200 and user in page.text, f"{page.url} {page.text[:500]}")
            status = person.page(hub + "admin").status
            expect(status == (200 if administers else 403), f"/hub/admin: {status} for {user}")
        page = logged_in(machine, "bob").page(hub + "oauth_login?next=%2Fhub%2Fhome")
        expect(page.status == 403 and page.url.startswith(ACCOUNTS), f"{page.url} {page.status} {page.text[:500]}")


def check_prometheus(machine):
    """Prometheus reads the figures, and each metric of the rules exists."""
    rules = Page("prometheus").files()["/etc/prometheus/latchkey.rules.yml"]
    figures = machine.run(["curl", "-s", "http://127.0.0.1:8422/metrics"])
    for name in set(re.findall(r"latchkey_\w+", rules)):
        expect(f"# TYPE {name} " in figures, f"there is no metric {name}")
    for events in re.findall(r'event=~"([^"]*)"', rules):
        for event in events.split("|"):
            expect(f'event="{event}"' in figures, f"there is no event {event}")
    machine.wait(lambda: machine.run(["systemctl", "is-active", "prometheus"], check=False) == "active\n", 5)
    query = ["curl", "-s", "http://127.0.0.1:9090/api/v1/query?query=latchkey_sessions"]
    machine.wait(lambda: '"value":[' in machine.run(query, check=False))
    rules = machine.run(["curl", "-s", "http://127.0.0.1:9090/api/v1/rules"])
    expect(rules.count('"health":"ok"') + rules.count('"health":"unknown"') == 7 and '"health":"err"' not in rules, rules)


def check_grafana(machine):
    return check_settings(machine, "grafana", "https://grafana.example.org/login/generic_oauth")


def check_gitea(machine):
    return check_settings(machine, "gitea", "https://git.example.org/user/oauth2/latchkey/callback")


def check_settings(machine, name, back):
    """The settings can be read, the addresses of Latchkey in them exist, and a group gets a code."""
    files = [content for kind, _, content in Page(name).steps if kind == "file"]
    expect(len(files) == 2, f"{len(files)} files")
    for content in files:
        settings = configparser.ConfigParser(interpolation=None)
        settings.read_string(content)
        expect(settings["server"]["http_addr"] == "127.0.0.1", "the program listens on the network")
    command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"]
    for address in set(re.findall(ACCOUNTS + r"/[^\s`?]+", (PAGES / f"{name}.md").read_text())):
        status = machine.run([*command, address])
        expect(status not in ("000", "404", "421", "502"), f"{address}: {status}")
    with machine.network():
        query = urllib.parse.urlencode({
            "client_id": name, "redirect_uri": back, "response_type": "code", "scope": "openid profile email groups",
            "code_challenge": "0" * 43, "code_challenge_method": "S256"})
        for user, arrives in (("ada", True), ("bob", False)):
            person = logged_in(machine, user)
            person.stop = back
            try:
                page = person.page(f"{ACCOUNTS}/oauth/authorize?{query}")
                expect(not arrives and page.status == 403, f"{user} does not arrive: {page.text}")
            except Arrived as arrival:
                expect(("code" in arrival.parameters) == arrives, f"{user}: {arrival.url}")
    return "but only its settings and the login: the program itself is not in Debian"


# Each page with the pages before it, and its check.
RECIPES = {
    "nginx": (["README", "nginx"], check_two_hosts),
    "caddy": (["README", "caddy"], check_two_hosts),
    "departments": (["README", "nginx", "departments"], check_departments),
    "apache": (["README", "apache"], check_apache),
    "radicale": (["README", "nginx", "radicale"], check_radicale),
    "dovecot": (["README", "nginx", "dovecot"], check_dovecot),
    "ssh": (["README", "nginx", "ssh"], check_ssh),
    "fail2ban": (["README", "nginx", "fail2ban"], check_fail2ban),
    "jupyterhub": (["README", "nginx", "jupyterhub"], check_jupyterhub),
    "grafana": (["README", "nginx", "grafana"], check_grafana),
    "gitea": (["README", "nginx", "gitea"], check_gitea),
    "prometheus": (["README", "prometheus"], check_prometheus),
}
