"""Gives most generated requests a token, and many of them the values of an existing account. Otherwise the service
would refuse nearly all of them before any work."""

import itertools
import json
import os
import urllib.request

import schemathesis

URL = os.environ["CHECK_URL"]
OPERATOR = os.environ["CHECK_TOKEN"]
PASSWORD = os.environ["CHECK_PASSWORD"]
# A separate account, so that wrong passwords for others do not delay it.
LOGIN = {"values": {"username": "grace", "password": PASSWORD}}

numbers = itertools.count()
session = None


def client(number):
    """Sends every request from another address, because the service also delays an address after wrong passwords."""
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def ask(path, values, number, token=None):
    headers = {"Content-Type": "application/json", "X-Forwarded-For": client(number)}
    if token:
        headers["Authorization"] = "Bearer " + token
    request = urllib.request.Request(URL + path, json.dumps({"values": values}).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def new_account(number, **values):
    """The username of a new account."""
    name = f"user{number}"
    ask("/api/v1/accounts", {"username": name, "email_field": f"{name}@example.org", **values}, number, OPERATOR)
    return name


def token(number):
    """A session. If it has ended, logs in to another account, because generated passwords delay the account that they
    are for."""
    global session
    if session is None:
        name = new_account(number, password=PASSWORD)
        session = ask("/api/v1/flows/login", {"username": name, "password": PASSWORD}, number)["token"]
    return session


def fill(case, number):
    """Replaces values that are rarely valid when they are generated."""
    values = case.body.get("values") if isinstance(case.body, dict) else None
    if isinstance(values, dict):
        good = {"username": f"other{number}", "email_field": f"other{number}@example.org",
                "current_password": PASSWORD, "password": "another " + PASSWORD}
        case.body = {**case.body, "values": {key: good.get(key, value) for key, value in values.items()}}


@schemathesis.hook
def before_call(context, case, **kwargs):
    number = next(numbers)
    case.headers["X-Forwarded-For"] = client(number)
    path = case.operation.path
    # One in eight requests stays as it was generated, mostly without a token.
    if number % 8 == 0:
        return
    if path.startswith("/api/v1/accounts"):
        case.headers["Authorization"] = "Bearer " + OPERATOR
        if "{id}" in path and number % 2:
            case.path_parameters["id"] = new_account(number)
    elif case.operation.definition.raw.get("security"):
        case.headers["Authorization"] = "Bearer " + token(number)
    if number % 4 == 1:
        case.body = LOGIN if path == "/api/v1/flows/login" else case.body
    elif number % 4 == 3 and case.operation.method.upper() != "GET":
        fill(case, number)


@schemathesis.hook
def after_call(context, case, response):
    global session
    if case.operation.path.startswith("/api/v1/flows") or case.method.upper() == "DELETE" or response.status_code == 401:
        session = None
