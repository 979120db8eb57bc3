#!/usr/bin/env python3
"""Logs the users of a web application in with Latchkey.

The application runs as the system user who owns the store. LATCHKEY_STORE, or the configuration file, names the store.
Put the token into a cookie (Secure, HttpOnly, SameSite) and verify it in each request.
"""

import json
import subprocess
import sys


class Refused(Exception):
    """Latchkey refused a request. `code` is the reason: invalid_credentials, throttled, token_refused, …"""

    def __init__(self, answer):
        super().__init__(answer["message"])
        self.code = answer["code"]
        self.retry_after = answer.get("retry_after")  # seconds, if throttled


def latchkey(*arguments, secret=""):
    """Runs a command. The secret goes through a pipe, because every user of the machine can read arguments."""
    run = subprocess.run(
        ["latchkey", "--json", "--no-input", *arguments], input=secret.encode() + b"\n", capture_output=True)
    answer = json.loads(run.stdout)
    if run.returncode != 0:
        raise Refused(answer)
    return answer


def log_in(username, password, address):
    """Returns the token of a new session. `address` is the client's IP address, for the limits on failures."""
    # With = a username that starts with a hyphen is still a value.
    return latchkey("login", "--print-token", "--password-stdin", f"--username={username}", f"--source={address}",
                    secret=password)["token"]


def create_session(account_id):
    """Returns the token of a session for a user whom the application has verified itself, for example with OpenID."""
    return latchkey("sessions", "create", "--", account_id)["token"]


def account_of(token):
    """Returns the account (id, username, email, attributes, …) of a session."""
    return latchkey("sessions", "verify", secret=token)["account"]


def log_out(token):
    """Ends the session."""
    found = latchkey("sessions", "verify", secret=token)
    latchkey("sessions", "revoke", found["session"]["id"], "--account", found["account"]["id"])


if __name__ == "__main__":
    # A demonstration that reads a username and a password from standard input, one per line.
    username, password = sys.stdin.read().splitlines()
    try:
        token = log_in(username, password, "192.0.2.7")
        account = account_of(token)
        print("logged in:", account["username"])
        print("created:", account_of(create_session(account["id"]))["username"])
        log_out(token)
        account_of(token)
    except Refused as refusal:
        print("refused:", refusal.code)
