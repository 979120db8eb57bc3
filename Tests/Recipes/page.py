"""The steps of a page of docs/recipes. `scripts/try-recipes` describes the format."""

import base64
import os
import pathlib
import re
import shlex

SOURCES = pathlib.Path(__file__).resolve().parents[2]
PAGES = SOURCES / "docs/recipes"
# In every machine.
TRUST = "usr/local/share/ca-certificates/recipes.crt"
AUTHORITY = "etc/recipes.key"
# Caddy would ask an authority of the internet. Before its own file, this makes it sign with the one of the machine.
CADDY = f"""{{
\tlocal_certs
\tskip_install_trust
\tpki {{
\t\tca {{
\t\t\troot {{
\t\t\t\tcert /{TRUST}
\t\t\t\tkey /{AUTHORITY}
\t\t\t}}
\t\t}}
\t}}
}}
"""


class Failure(Exception):
    """A page or a check did not work."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Page:
    """The steps of a page, in order: files to write, and commands with their output."""

    def __init__(self, name):
        self.steps = []
        language, path, lines = None, None, []
        for line in (PAGES / f"{name}.md").read_text().splitlines():
            text = line.strip()
            if language is None and text.startswith("```"):
                language, lines, indent = text[3:] or "text", [], len(line) - len(line.lstrip())
            elif language is not None and text == "```":
                self.add(language, path, lines)
                language = path = None
            elif language is not None:
                lines.append(line[indent:])
            elif text:
                named = re.search(r"`(/[^`]+)`:$", text)
                path = named and named[1]

    def add(self, language, path, lines):
        if path:
            self.steps.append(("file", path, "\n".join(lines) + "\n"))
        elif language == "console":
            for line in lines:
                if line.startswith("$ "):
                    self.steps.append(("command", line[2:], []))
                elif self.steps[-1][1].endswith(("\\", "|")):
                    kind, command, output = self.steps.pop()
                    self.steps.append((kind, command + "\n" + line, output))
                else:
                    self.steps[-1][2].append(line)

    def files(self):
        """The contents of each file."""
        return {step[1]: step[2] for step in self.steps if step[0] == "file"}

    def shell(self, mark):
        """All steps as one program for bash, which prints the mark around the output of each command."""
        for number, (kind, subject, content) in enumerate(self.steps):
            if kind == "file":
                if subject == "/etc/caddy/Caddyfile":
                    content = CADDY + content
                encoded = base64.b64encode(content.encode()).decode()
                folder = shlex.quote(os.path.dirname(subject))
                yield f"sudo mkdir -p {folder} && base64 -d <<<{encoded} | sudo tee {shlex.quote(subject)} >/dev/null"
            else:
                yield f"echo '{mark} {number}'\n{{ {subject}\n}} </dev/null 2>&1\nprintf '\\n%s %s\\n' '{mark} end' $?"

    def run(self, machine):
        """Does what the page shows, as an operator who may use sudo."""
        mark = "recipe-step"
        printed = machine.run(["bash"], user="olga", text="\n".join(self.shell(mark)))
        for number, output, status in re.findall(rf"(?ms)^{mark} (\d+)\n(.*?)\n{mark} end (\d+)$", printed):
            _, command, expected = self.steps[int(number)]
            if expected:
                pattern = ".*?".join(map(re.escape, "\n".join(expected).strip("\n").split("…")))
                works = re.fullmatch(pattern, output.strip("\n"), re.DOTALL)
            else:
                works = status == "0"
            expect(works, f"$ {command}\n{output.strip()}\n(status {status})")
        last = max((number for number, step in enumerate(self.steps) if step[0] == "command"), default=None)
        expect(last is None or f"{mark} {last}\n" in printed, f"the commands ended early: {printed[-2000:]}")
