"""Compares Latchkey's verdicts on mutated assertions with those of py_webauthn: scripts/check-passkeys."""
import base64
import collections
import io
import json
import os
import random
import subprocess
import sys

import cbor2
import webauthn

from authenticator import (AT, BE, BS, ED, ORIGIN, RP_ID, UP, UV, Key, assertion, attested, b64, cbor, client_data,
                           head, text)

PER_ALGORITHM = 400
TOOL = sys.argv[1]


def unb64(text):
    return base64.urlsafe_b64decode(text + "==")


# Mutations


def changed(chance, data):
    """The bytes with one to three changes."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(data))
        end = min(len(data), place + chance.randint(0, 8))
        kind = chance.randrange(6)
        if kind == 0 and place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 1 and place < len(data):
            data[place] = chance.randrange(256)
        elif kind == 2:
            del data[place:end]
        elif kind == 3:
            data[place:place] = data[place:end]
        elif kind == 4:
            data[place:place] = chance.randbytes(chance.randint(1, 4))
        else:
            data[place:place] = chance.choice([b"\0", b" ", b'"', b"{}", b",", b"\\u0000", b"\xff", b"\xa0", b"\x80"])
    return bytes(data)


def member_change(chance, challenge):
    """Client data with another member, or with another value for one."""
    members = client_data("webauthn.get", challenge)
    name, value = chance.choice([
        ("type", "webauthn.create"), ("type", "WEBAUTHN.GET"), ("type", 1), ("origin", ORIGIN + "/"),
        ("origin", ORIGIN + ":443"), ("origin", "https://evil.example"), ("origin", None),
        ("challenge", b64(bytes(32))), ("challenge", members["challenge"] + "="), ("challenge", members["challenge"] + " "), ("challenge", 7),
        ("crossOrigin", True), ("crossOrigin", "false"), ("crossOrigin", 0), ("topOrigin", "https://evil.example"),
        ("tokenBinding", {"status": "supported"}), ("tokenBinding", "x"), ("other", [1.5, {"type": "x"}]), ("", "é"),
        ("x", float("nan")), ("x", "\ud800"),
    ])
    members[name] = value
    items = list(members.items())
    chance.shuffle(items)
    return json.dumps(dict(items), ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, 1])).encode(
        errors="surrogatepass")


def json_change(chance, challenge):
    """The JSON of a browser in another notation."""
    json = text(client_data("webauthn.get", challenge))
    return chance.choice([
        json[:-1] + b',"type":"webauthn.get"}', json.replace(b"webauthn", b"web\\u0061uthn"),
        json.replace(b"https://", b"https:\\/\\/"), b"\xef\xbb\xbf" + json, json + b"\n",
        json.decode().encode("utf-16"), json[:-1] + b",}", json.replace(b'"', b"'"), b"[" + json + b"]", json * 2, b"/**/" + json,
    ])


def data_change(chance, key):
    """Authenticator data with other values or parts."""
    flags = chance.choice(
        [UP | UV, UP, UV, 0, UP | UV | BE, UP | UV | BS, UP | UV | BE | BS, 0xFF, chance.randrange(256)])
    count = chance.choice([0, 6, 7, 8, 2**31, 2**32 - 1, chance.randrange(2**32)])
    data = head(flags, count, chance.choice([RP_ID] * 6 + ["example.org", ""]))
    if chance.random() < 0.9:
        if flags & AT:
            data += attested(chance.randbytes(chance.choice([0, 1, 16, 1023, 1024])), cbor(key.cose))
        if flags & ED:
            data += chance.choice([cbor({}), cbor({"x": True}), b"\xa1\x61x\xf6", b"\xbf\xff", b"\xa2\x01\x00\x01\x00",
                                   b"\xa1\x18\x01\x00", cbor([]), b""])
    return data + chance.choice([b""] * 9 + [b"\0"])


def mutation(chance, key):
    """An assertion of a random kind. If the kind is called signed, the authenticator signs the changed data."""
    challenge = chance.randbytes(32)
    kind = chance.choice([
        "none", "signature", "client data", "authenticator data", "signed member", "signed JSON", "signed JSON bytes",
        "signed authenticator data", "signed authenticator data bytes", "counter", "user",
    ])
    make = lambda **parts: assertion(key, kind, challenge=challenge, **parts)
    if kind == "signature":
        return make(signature=lambda signed: changed(chance, signed))
    if kind in ("client data", "authenticator data"):
        row = make()
        name = {"client data": "clientDataJSON", "authenticator data": "authenticatorData"}[kind]
        row["response"][name] = b64(changed(chance, unb64(row["response"][name])))
        return row
    if kind == "signed member":
        return make(client=member_change(chance, challenge))
    if kind == "signed JSON":
        return make(client=json_change(chance, challenge))
    if kind == "signed JSON bytes":
        return make(client=changed(chance, text(client_data("webauthn.get", challenge))))
    if kind == "signed authenticator data":
        return make(data=data_change(chance, key), stored=chance.choice([0, 7]))
    if kind == "signed authenticator data bytes":
        return make(data=changed(chance, data_change(chance, key)))
    if kind == "counter":
        return make(count=chance.randrange(4), stored=chance.randrange(4))
    if kind == "user":
        return make(handle=chance.choice([None, b"", b"another"]), id=chance.choice([None, b"another"]))
    return make()


# Verdicts


def accepts(row):
    """The verdict of py_webauthn. Any exception counts as a refusal."""
    response = row["response"]
    try:
        webauthn.verify_authentication_response(
            credential={"id": response["id"], "rawId": response["id"], "type": "public-key", "response": response},
            expected_challenge=unb64(row["challenge"]), expected_rp_id=row["rpId"], expected_origin=row["origin"],
            credential_public_key=unb64(row["credential"]["publicKey"]),
            credential_current_sign_count=row["credential"]["signCount"], require_user_verification=True)
        return True
    except Exception:
        return False


def refuse(reason):
    raise ValueError(reason)


def unique(pairs):
    return dict(pairs) if len({name for name, _ in pairs}) == len(pairs) else refuse("a duplicate member")


def is_strict_json(data):
    """Whether the client data follow the specification and RFC 8259."""
    try:
        members = json.loads(data.decode(), object_pairs_hook=unique, parse_constant=refuse)
        json.dumps(members, ensure_ascii=False).encode()
    except ValueError:
        return False
    types = {"type": str, "challenge": str, "origin": str, "topOrigin": str, "crossOrigin": bool}
    return all(type(members.get(name, type_())) is type_ for name, type_ in types.items())


def is_plain(value):
    """Whether the value contains only the kinds of CBOR that WebAuthn uses."""
    if isinstance(value, dict):
        return all(type(key) in (int, str) and is_plain(part) for key, part in value.items())
    return all(map(is_plain, value)) if isinstance(value, list) else type(value) in (int, str, bytes, bool)


def is_strict_data(data):
    """Whether the authenticator data have the format of the specification, with canonical CBOR."""
    rest = data[37:]
    if data[32] & AT:
        count = int.from_bytes(rest[16:18], "big")
        if not 1 <= count <= 1023:
            return False
        rest = rest[18 + count:]
    for _ in range(bool(data[32] & AT) + bool(data[32] & ED)):
        try:
            value = cbor2.CBORDecoder(io.BytesIO(rest)).decode()
            encoded = cbor(value)
        except Exception:
            return False
        if not isinstance(value, dict) or not is_plain(value) or not rest.startswith(encoded):
            return False
        rest = rest[len(encoded):]
    return not rest


def difference(row, code):
    """The reason why Latchkey refuses a response that py_webauthn accepts; None if there is no good reason."""
    client, data = unb64(row["response"]["clientDataJSON"]), unb64(row["response"]["authenticatorData"])
    eligible = bool(data[32] & BE)
    members = json.loads(client)
    if code == "cross_origin" and (members.get("crossOrigin") is True or "topOrigin" in members):
        return "py_webauthn ignores whether the page is embedded"
    if code == "backup_eligibility_changed" and eligible != row["credential"]["isBackupEligible"]:
        return "py_webauthn does not know the stored flag BE"
    if code == "wrong_user" and row["response"].get("userHandle") != row["userHandle"]:
        return "py_webauthn leaves the user handle to the caller"
    if code == "wrong_credential" and row["response"]["id"] != row["credential"]["id"]:
        return "py_webauthn leaves the credential ID to the caller"
    if code == "wrong_challenge" and members["challenge"] != row["challenge"]:
        return "py_webauthn reads base64url with padding and other characters"
    if code == "malformed_client_data" and not is_strict_json(client):
        return "py_webauthn reads JSON that RFC 8259 or WebAuthn does not allow"
    if code in ("malformed_authenticator_data", "credential_id_length") and not is_strict_data(data):
        return "py_webauthn reads CBOR that is not canonical, and credential IDs of any length"
    return None


def main():
    seed = os.environ.get("SEED", "1")
    chance = random.Random(seed)
    rows = [mutation(chance, key) for key in (Key(-7), Key(-8), Key(-257)) for _ in range(PER_ALGORITHM)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    codes = subprocess.run([TOOL], input=lines, capture_output=True, text=True, check=True).stdout.split()
    assert len(codes) == len(rows)
    counts, failures = collections.Counter(), 0
    for row, code in zip(rows, codes):
        theirs = accepts(row)
        if (code == "ok") == theirs:
            counts["accepted by both" if theirs else f"refused by both: {code}"] += 1
        elif theirs and (reason := difference(row, code)):
            counts[f"different on purpose: {reason} ({code})"] += 1
        else:
            failures += 1
            print(f"DIFFERENT: Latchkey {code}, py_webauthn {'accepts' if theirs else 'refuses'}: {json.dumps(row)}")
    print(f"{len(rows)} mutated assertions, seed {seed}")
    for name, count in sorted(counts.items()):
        print(f"{count:5} {name}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
