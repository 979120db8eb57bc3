"""Records registrations and logins of Chromium's virtual authenticator in Tests/Fixtures/passkeys/chromium.jsonl:
scripts/check-passkeys chromium."""
import base64
import http.server
import json
import os
import pathlib
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.virtual_authenticator import Protocol, Transport, VirtualAuthenticatorOptions

PATH = pathlib.Path(__file__).parent.parent / "Fixtures/passkeys/chromium.jsonl"
USER = b"user handle of 1"
CEREMONIES = """
const [algorithm, user, first, second, done] = arguments;
const bytes = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
(async () => {
    const created = await navigator.credentials.create({publicKey: {
        challenge: bytes(first), rp: {name: "Latchkey", id: "localhost"},
        user: {id: bytes(user), name: "ada" + algorithm, displayName: "Ada"},
        pubKeyCredParams: [{type: "public-key", alg: algorithm}], attestation: "none",
        authenticatorSelection: {residentKey: "required", userVerification: "required"}}});
    const used = await navigator.credentials.get({publicKey: {
        challenge: bytes(second), rpId: "localhost", userVerification: "required",
        allowCredentials: [{type: "public-key", id: created.rawId}]}});
    return [created.toJSON(), used.toJSON()];
})().then(done, error => done(String(error)));
"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Passkeys</title>")

    def log_message(self, *_):
        pass


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def rows(browser, name, algorithm, origin):
    challenges = [b64(os.urandom(32)) for _ in range(2)]
    result = browser.execute_async_script(CEREMONIES, algorithm, b64(USER), *challenges)
    assert isinstance(result, list), result
    created, used = result
    expected = {"verdict": "ok", "rpId": "localhost", "origin": origin}
    response = {key: created["response"][key] for key in ("clientDataJSON", "attestationObject", "transports")}
    yield {"why": f"{name}: a registration", **expected, "challenge": challenges[0], "response": response}
    data = base64.urlsafe_b64decode(created["response"]["authenticatorData"] + "==")
    id_end = 55 + int.from_bytes(data[53:55], "big")
    credential = {"id": b64(data[55:id_end]), "publicKey": b64(data[id_end:]),
                  "signCount": int.from_bytes(data[33:37], "big"), "isBackupEligible": bool(data[32] & 8)}
    parts = ("clientDataJSON", "authenticatorData", "signature", "userHandle")
    response = {key: used["response"][key] for key in parts}
    yield {"why": f"{name}: a login", **expected, "challenge": challenges[1], "userHandle": b64(USER),
           "isUserKnown": False, "credential": credential, "response": {"id": used["id"], **response}}


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://localhost:{server.server_port}"
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    browser = webdriver.Chrome(service=Driver("/usr/bin/chromedriver"), options=options)
    try:
        browser.get(origin)
        browser.add_virtual_authenticator(VirtualAuthenticatorOptions(
            Protocol.CTAP2, Transport.INTERNAL, has_resident_key=True, has_user_verification=True,
            is_user_verified=True))
        names = {"ES256": -7, "EdDSA": -8, "RS256": -257}
        lines = [json.dumps(row) + "\n" for name, algorithm in names.items()
                 for row in rows(browser, name, algorithm, origin)]
    finally:
        browser.quit()
    PATH.write_text("".join(lines))


if __name__ == "__main__":
    main()
