#!/usr/bin/env python3
"""Logs the user of a command-line program in with a device code (RFC 8628): `device.py ISSUER CLIENT_ID`.

Once: latchkey applications add CLIENT_ID --public --grant device
"""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


def ask(url, token=None, **fields):
    """Sends a form, or a request with a token. Returns the JSON of the answer, which can be an error."""
    body = urllib.parse.urlencode(fields).encode() if fields else None
    request = urllib.request.Request(url, body, {"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return json.load(error)
    except OSError as error:
        sys.exit(f"{url}: {error}")


if len(sys.argv) != 3:
    sys.exit("usage: device.py ISSUER CLIENT_ID")
issuer, client = sys.argv[1:]
provider = ask(issuer + "/.well-known/openid-configuration")
device = ask(provider["device_authorization_endpoint"], client_id=client, scope="openid profile email")
if "device_code" not in device:
    sys.exit(device.get("error_description", device["error"]))
print("Open", device["verification_uri"], "and enter", device["user_code"], flush=True)
pause, answer = device["interval"], {"error": "authorization_pending"}
while answer.get("error") in ("authorization_pending", "slow_down"):
    pause += 5 if answer["error"] == "slow_down" else 0
    time.sleep(pause)
    answer = ask(provider["token_endpoint"], client_id=client, device_code=device["device_code"],
                 grant_type="urn:ietf:params:oauth:grant-type:device_code")
if "access_token" not in answer:
    sys.exit(answer.get("error_description", answer["error"]))
user = ask(provider["userinfo_endpoint"], answer["access_token"])
print("Hello", user["preferred_username"], user["sub"])
