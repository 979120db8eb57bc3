"""Runs schemathesis against a service with an account and an operator token. LATCHKEY is the program under test."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
BUILD = ROOT / ".build/api"
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from service import PASSWORD, Service  # noqa: E402

# The service would refuse so many requests of one client with 429 by default.
LIMITS = {"changes_per_minute": 1_000_000, "sign_ups_per_day": 1_000_000, "recoveries_per_hour": 1_000_000}
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]


def start(folder):
    config = pathlib.Path(folder) / "config.json"
    config.write_text(json.dumps({"service": LIMITS}))
    config.chmod(0o600)
    return Service("--config", str(config), "--quiet", "--trusted-proxy", "127.0.0.1")


def check(service):
    """Returns the exit status of schemathesis and its report."""
    service.create("grace")
    made = service.latchkey("tokens", "create", "--name", "check", "--scope",
                            "accounts:read,accounts:write,accounts:recover,groups:read,groups:write,applications:read,"
                            "applications:write", "--json")
    environment = dict(
        os.environ, PYTHONPATH=str(BUILD / "python"), PYTHONDONTWRITEBYTECODE="1", NO_COLOR="1", PYTHONHASHSEED="0",
        SCHEMATHESIS_HOOKS=str(FOLDER / "hooks.py"), CHECK_URL=service.url, CHECK_PASSWORD=PASSWORD,
        CHECK_TOKEN=json.loads(made)["token"])
    command = [
        sys.executable, str(BUILD / "python/bin/schemathesis"), "run", service.url + "/api/v1/openapi.json",
        "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing",
        "--seed", os.environ.get("SEED", "20261124"), "--max-examples", os.environ.get("EXAMPLES", "25"),
        "--workers", "1", "--continue-on-failure", "--generation-database", "none", "--no-color",
    ]
    ending = subprocess.run(command, cwd=BUILD, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ending.returncode, ending.stdout


def main():
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        service = start(folder)
        try:
            status, report = check(service)
        finally:
            service.stop()
    (BUILD / "report.txt").write_text(report)
    if status != 0:
        print(report)
    else:
        print(*[line for line in report.splitlines() if " generated, " in line], sep="\n")
    print(f"The API against its description, {time.monotonic() - began:.0f} s: {'failed' if status else 'passed'}")
    sys.exit(1 if status else 0)


if __name__ == "__main__":
    main()
