"""Writes the cases of Tests/Fixtures/passkeys that no browser makes, with new keys: scripts/check-passkeys vectors."""
import json
import pathlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from authenticator import (AT, BE, BS, ED, ORIGIN, RP_ID, UP, UV, Key, assertion, attested, cbor, client_data, head,
                           number, registration, sha256, text)

FOLDER = pathlib.Path(__file__).parent.parent / "Fixtures"
ES256, EDDSA, RS256 = Key(-7), Key(-8), Key(-257)
NAMES = {-7: "ES256", -8: "EdDSA", -257: "RS256"}
P256_PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
ED25519_PRIME = 2**255 - 19
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


def write(path, rows):
    with open(FOLDER / path, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


# Signatures and keys


def signature_rows():
    message = b"a message"

    def row(key, why, verdict, *, parts=None, signature=None, of=message):
        numbers = list(key.cose.values())[3 if key.algorithm != -257 else 2:] if parts is None else parts
        return {"why": why, "verdict": verdict, "algorithm": NAMES[key.algorithm],
                "key": [part.hex() for part in numbers], "message": message.hex(),
                "signature": (key.sign(of) if signature is None else signature).hex()}

    for key in (ES256, EDDSA, RS256):
        yield row(key, "signed by the key", "valid")
        yield row(key, "of another message", "invalid", of=b"another")
        yield row(key, "empty", "invalid", signature=b"")
        yield row(key, "with a byte more", "invalid", signature=key.sign(message) + b"\0")
        yield row(key, "without its last byte", "invalid", signature=key.sign(message)[:-1])
        yield row(key, "by another key of the algorithm", "invalid", signature=Key(key.algorithm).sign(message))

    r, s = decode_dss_signature(ES256.sign(message))
    integer = lambda content: b"\x02" + number(len(content), 1) + content
    sequence = lambda content: b"\x30" + number(len(content), 1) + content
    signed = lambda value: number(value, value.bit_length() // 8 + 1)
    right = integer(signed(r)) + integer(signed(s))
    yield row(ES256, "the other s, which ECDSA also allows", "valid", signature=encode_dss_signature(r, P256_ORDER - s))
    for why, signature in [
        ("r is 0", encode_dss_signature(0, s)), ("s is 0", encode_dss_signature(r, 0)),
        ("r and s are 0", encode_dss_signature(0, 0)),
        ("r is negative", sequence(integer(signed(P256_ORDER - r)[-32:]) + integer(b"\xff" * 2))),
        ("r is the order more", encode_dss_signature(r + P256_ORDER, s)),
        ("s is the order", encode_dss_signature(r, P256_ORDER)),
        ("r has a zero in front that it does not need", sequence(integer(b"\0" + signed(r)) + integer(signed(s)))),
        ("the length takes two bytes", b"\x30\x81" + number(len(right), 1) + right),
        ("the length is indefinite", b"\x30\x80" + right + b"\0\0"),
        ("a third number", sequence(right + integer(b"\1"))), ("one number", sequence(integer(signed(r)))),
        ("a SET", b"\x31" + sequence(right)[1:]), ("no SEQUENCE", right),
        ("an OCTET STRING as r", sequence(b"\x04" + right[1:])),
        ("a number without content", sequence(integer(b"") + integer(signed(s)))),
        ("r and s without DER", number(r, 32) + number(s, 32)),
        ("a length beyond the end", b"\x30\x7f" + right),
    ]:
        yield row(ES256, why, "invalid", signature=signature)
    x, y = ES256.cose[-2], ES256.cose[-3]
    other = number(int.from_bytes(y, "big") ^ 1, 32)
    for why, parts in [("not on the curve", [x, other]), ("the origin", [bytes(32), bytes(32)]),
                       ("x is the prime more", [number((int.from_bytes(x, "big") + P256_PRIME) % 2**256, 32), y]),
                       ("a coordinate of 31 bytes", [x[1:], y]), ("a coordinate of 33 bytes", [b"\0" + x, y]),
                       ("without y", [x, b""])]:
        yield row(ES256, why, "bad_key", parts=parts)

    signature = EDDSA.sign(message)
    larger = int.from_bytes(signature[32:], "little") + ED25519_ORDER
    yield row(EDDSA, "S is the order more (RFC 8032, section 5.1.7)", "invalid",
              signature=signature[:32] + larger.to_bytes(32, "little"))
    yield row(EDDSA, "R is of small order", "invalid", signature=b"\1" + bytes(63))
    for why, point in [("the neutral point", b"\1" + bytes(31)), ("a point of order 4", bytes(32)),
                       ("y is the prime", ED25519_PRIME.to_bytes(32, "little")),
                       ("31 bytes", EDDSA.cose[-2][1:]), ("33 bytes", EDDSA.cose[-2] + b"\0"),
                       ("not on the curve", (2).to_bytes(32, "little"))]:
        yield row(EDDSA, why, "bad_key", parts=[point])

    n, e = RS256.cose[-1], RS256.cose[-2]
    modulus = int.from_bytes(n, "big")
    private = RS256.private.private_numbers().d
    digest_info = bytes.fromhex("3031300d060960864801650304020105000420")

    def forged(block):
        return number(pow(int.from_bytes(block, "big"), private, modulus), 256)

    padded = lambda content, fill=b"\xff": b"\0\1" + fill * (256 - 3 - len(content)) + b"\0" + content
    content = digest_info + sha256(message)
    yield row(RS256, "made from its parts", "valid", signature=forged(padded(content)))
    for why, signature in [
        ("the digest without its algorithm", forged(padded(sha256(message)))),
        ("the algorithm without NULL", forged(padded(bytes.fromhex("302f300b0609608648016503040201" + "0420")
                                                     + sha256(message)))),
        ("padding of zeros", forged(padded(content, b"\0"))),
        ("the block type 2", forged(b"\0\2" + padded(content)[2:])),
        ("bytes after the digest", forged(padded(content)[:2] + b"\xff" * 8 + b"\0" + content + bytes(194))),
        ("SHA-1", RS256.private.sign(message, padding.PKCS1v15(), hashes.SHA1())),
        ("PSS", RS256.private.sign(message, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())),
        ("after a zero", b"\0" + RS256.sign(message)), ("0", bytes(256)), ("1", number(1, 256)), ("the modulus", n),
    ]:
        yield row(RS256, why, "invalid", signature=signature)
    for bits, verdict in [(1024, "bad_key"), (2040, "bad_key"), (3072, "valid"), (4096, "valid"), (4104, "bad_key")]:
        pair = rsa.generate_private_key(65537, bits)
        yield row(RS256, f"{bits} bits", verdict, parts=[number(pair.public_key().public_numbers().n), e],
                  signature=pair.sign(message, padding.PKCS1v15(), hashes.SHA256()))
    for why, parts in [("an even modulus", [number(modulus - 1), e]), ("a modulus after a zero", [b"\0" + n, e]),
                       ("no modulus", [b"", e]), ("exponent 1", [n, b"\1"]), ("exponent 3", [n, b"\3"]),
                       ("an even exponent", [n, b"\1\0\0"]), ("an exponent after a zero", [n, b"\0\1\0\1"]),
                       ("an exponent of five bytes", [n, b"\1\0\0\0\1"]), ("no exponent", [n, b""])]:
        yield row(RS256, why, "bad_key", parts=parts)


# Registrations


def registration_rows():
    for key in (ES256, EDDSA, RS256):
        yield registration(key, f"{NAMES[key.algorithm]}, not backed up")
    yield registration(ES256, "backed up", flags=UP | UV | AT | BE | BS)
    yield registration(ES256, "eligible for a backup", flags=UP | UV | AT | BE)
    yield registration(ES256, "extensions, which are ignored", data=head(UP | UV | AT | ED, 0)
                       + attested(b"id", cbor(ES256.cose)) + cbor({"credProtect": 2, "hmac-secret": True}))
    yield registration(ES256, "the reserved flags", flags=UP | UV | AT | 0x22)
    yield registration(ES256, "the shortest credential ID", id=b"1")
    yield registration(ES256, "the longest credential ID", id=bytes(1023))
    yield registration(ES256, "transports, some of which are none",
                       transports=["usb", "hybrid", "usb", "", "A B", "x" * 17])
    packed = {"alg": -7, "sig": bytes(70), "x5c": [bytes(600)]}
    yield registration(ES256, "another attestation, which is not read",
                       object=lambda data: cbor({"fmt": "packed", "attStmt": packed, "authData": data}))

    create = lambda **changes: lambda challenge: {**client_data("webauthn.create", challenge), **changes}
    yield registration(ES256, "members of the client data that are ignored",
                       client=create(other_keys_can_be_added_here="", tokenBinding={"status": "supported"}))
    yield registration(ES256, "white space in the client data", client=lambda challenge: (
        b" " + text(client_data("webauthn.create", challenge)).replace(b",", b" ,\n")))
    for verdict, why, changes in [
        ("wrong_type", "the client data of a login", {"type": "webauthn.get"}),
        ("wrong_type", "a type in capitals", {"type": "WEBAUTHN.CREATE"}),
        ("wrong_challenge", "another challenge", {"challenge": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}),
        ("wrong_challenge", "no challenge", {"challenge": ""}),
        ("wrong_origin", "another origin", {"origin": "https://evil.example"}),
        ("wrong_origin", "another port", {"origin": ORIGIN + ":8443"}),
        ("wrong_origin", "http", {"origin": ORIGIN.replace("https", "http")}),
        ("wrong_origin", "a subdomain", {"origin": "https://www." + RP_ID}),
        ("wrong_origin", "with a slash", {"origin": ORIGIN + "/"}),
        ("wrong_origin", "in capitals", {"origin": ORIGIN.upper()}),
        ("cross_origin", "an embedded page", {"crossOrigin": True}),
        ("cross_origin", "an outer page of another origin", {"topOrigin": "https://evil.example"}),
        ("malformed_client_data", "a type that is no text", {"type": 1}),
        ("malformed_client_data", "a challenge that is no text", {"challenge": None}),
        ("malformed_client_data", "an origin that is no text", {"origin": [ORIGIN]}),
        ("malformed_client_data", "a Boolean as text", {"crossOrigin": "false"}),
        ("malformed_client_data", "more than 8,192 bytes", {"x": "x" * 8_192}),
    ]:
        yield registration(ES256, why, verdict, client=create(**changes))
    for why, change in [
        ("no JSON", lambda json: json[:-1]), ("an array", lambda json: b"[" + json + b"]"),
        ("empty", lambda json: b"{}"), ("two values", lambda json: json + json),
        ("a duplicate member", lambda json: json[:-1] + b',"origin":"https://evil.example"}'),
        ("a byte order mark", lambda json: b"\xef\xbb\xbf" + json),
        ("not UTF-8", lambda json: json[:-1] + b',"x":"\xff"}'),
    ]:
        yield registration(ES256, why, "malformed_client_data", client=lambda challenge, change=change: change(
            text(client_data("webauthn.create", challenge))))

    rp = attested(b"id", cbor(ES256.cose))
    for verdict, why, data in [
        ("wrong_relying_party", "another relying party", head(UP | UV | AT, 0, "example.org") + rp),
        ("user_not_present", "the flag UP is off", head(UV | AT, 0) + rp),
        ("user_not_verified", "the flag UV is off", head(UP | AT, 0) + rp),
        ("inconsistent_backup", "backed up but not eligible", head(UP | UV | AT | BS, 0) + rp),
        ("malformed_authenticator_data", "no credential", head(UP | UV, 0)),
        ("malformed_authenticator_data", "36 bytes", head(UP | UV, 0)[:36]),
        ("malformed_authenticator_data", "ends in the AAGUID", head(UP | UV | AT, 0) + bytes(15)),
        ("malformed_authenticator_data", "ends in the credential ID", head(UP | UV | AT, 0) + rp[:19]),
        ("malformed_authenticator_data", "ends in the key", head(UP | UV | AT, 0) + rp[:-1]),
        ("malformed_authenticator_data", "no key", head(UP | UV | AT, 0) + rp[:20]),
        ("malformed_authenticator_data", "bytes after the credential", head(UP | UV | AT, 0) + rp + b"\0"),
        ("malformed_authenticator_data", "the flag ED without extensions", head(UP | UV | AT | ED, 0) + rp),
        ("malformed_authenticator_data", "extensions that are no map", head(UP | UV | AT | ED, 0) + rp + cbor([])),
        ("malformed_authenticator_data", "extensions without the flag ED", head(UP | UV | AT, 0) + rp + cbor({})),
        ("malformed_authenticator_data", "bytes after the extensions",
         head(UP | UV | AT | ED, 0) + rp + cbor({}) + cbor({})),
    ]:
        yield registration(ES256, why, verdict, data=data)
    yield registration(ES256, "an empty credential ID", "credential_id_length", id=b"")
    yield registration(ES256, "a credential ID of 1024 bytes", "credential_id_length", id=bytes(1024))

    for why, object in [
        ("no CBOR", lambda data: b"\xff"), ("no map", lambda data: cbor([data])),
        ("no statement", lambda data: cbor({"fmt": "none", "authData": data})),
        ("a fourth member", lambda data: cbor({"fmt": "none", "attStmt": {}, "authData": data, "x": 1})),
        ("a format that is no text", lambda data: cbor({"fmt": 1, "attStmt": {}, "authData": data})),
        ("a statement that is no map", lambda data: cbor({"fmt": "none", "attStmt": [], "authData": data})),
        ("data that are no bytes", lambda data: cbor({"fmt": "none", "attStmt": {}, "authData": "data"})),
        ("bytes after the object", lambda data: cbor({"fmt": "none", "attStmt": {}, "authData": data}) + b"\0"),
        ("a statement that is not well-formed", lambda data: b"\xa3" + cbor("fmt") + cbor("none") + cbor("attStmt")
         + b"\xa1\x61x\xf6" + cbor("authData") + cbor(data)),
        ("a key of the statement twice", lambda data: b"\xa3" + cbor("fmt") + cbor("packed") + cbor("attStmt")
         + b"\xa3" + cbor("x5c") + cbor([]) + cbor("alg") + cbor(-7) + cbor("x5c") + cbor([]) + cbor("authData")
         + cbor(data)),
    ]:
        yield registration(ES256, why, "malformed_attestation", object=object)
    for why, object in [
        ("members in another order", lambda data: b"\xa3" + cbor("authData") + cbor(data) + cbor("fmt") + cbor("none")
         + cbor("attStmt") + cbor({})),
        ("a statement with keys in another order", lambda data: b"\xa3" + cbor("fmt") + cbor("packed") + cbor("attStmt")
         + b"\xa2" + cbor("x5c") + cbor([]) + cbor("alg") + cbor(-7) + cbor("authData") + cbor(data)),
    ]:
        yield registration(ES256, why, "ok", object=object)

    for verdict, why, key, changes in [
        ("unsupported_algorithm", "ES384", ES256, {3: -35}), ("unsupported_algorithm", "PS256", RS256, {3: -37}),
        ("unsupported_algorithm", "RS1", RS256, {3: -65535}), ("malformed_key", "no algorithm", ES256, {3: None}),
        ("malformed_key", "an algorithm that is no number", ES256, {3: "ES256"}),
        ("malformed_key", "another key type", ES256, {1: 1}), ("malformed_key", "another key type", EDDSA, {1: 2}),
        ("malformed_key", "another key type", RS256, {1: 2}), ("malformed_key", "another curve", ES256, {-1: 2}),
        ("malformed_key", "X25519", EDDSA, {-1: 4}), ("malformed_key", "a compressed point", ES256, {-3: True}),
        ("malformed_key", "a member more", ES256, {2: b"id"}), ("malformed_key", "a member more", EDDSA, {-4: b"d"}),
        ("malformed_key", "a member more", RS256, {-3: b"d"}), ("malformed_key", "a member less", ES256, {-3: None}),
        ("malformed_key", "a member less", RS256, {-2: None}),
        ("malformed_key", "a label that is a text", ES256, {"x": 1}),
        ("malformed_key", "a point that is not on the curve", ES256, {-3: bytes(32)}),
        ("malformed_key", "a point of small order", EDDSA, {-2: bytes(32)}),
        ("malformed_key", "a short modulus", RS256, {-1: RS256.cose[-1][:128]}),
        ("malformed_key", "exponent 3", RS256, {-2: b"\3"}),
    ]:
        cose = {label: value for label, value in {**key.cose, **changes}.items() if value is not None}
        yield registration(key, f"{NAMES[key.algorithm]}: {why}", verdict, cose=cose)
    yield registration(ES256, "a key that is no map", "malformed_key", cose=cbor([]))


# Assertions


def assertion_rows():
    for key in (ES256, EDDSA, RS256):
        name = NAMES[key.algorithm]
        yield assertion(key, name)
        yield assertion(key, f"{name}: a changed signature", "wrong_signature",
                        signature=lambda signed: signed[:-1] + bytes([signed[-1] ^ 1]))
        yield assertion(key, f"{name}: another key", "wrong_signature", public_key=cbor(Key(key.algorithm).cose))
        yield assertion(key, f"{name}: no signature", "wrong_signature", signature=lambda signed: b"")
    yield assertion(ES256, "no counters", count=0, stored=0)
    yield assertion(ES256, "the first use of a counter", count=1, stored=0)
    yield assertion(ES256, "the highest counter", count=2**32 - 1, stored=2**32 - 2)
    yield assertion(ES256, "the same counter", "counter_regressed", count=7, stored=7)
    yield assertion(ES256, "an earlier counter", "counter_regressed", count=6, stored=7)
    yield assertion(ES256, "a counter that is lost", "counter_regressed", count=0, stored=7)
    yield assertion(ES256, "an earlier counter with a wrong signature: the counter is not signed", "wrong_signature",
                    count=6, stored=7, signature=lambda signed: ES256.sign(b"other"))
    yield assertion(ES256, "backed up since the last use", flags=UP | UV | BE | BS, eligible=True)
    yield assertion(ES256, "eligible since the last use", "backup_eligibility_changed", flags=UP | UV | BE)
    yield assertion(ES256, "not eligible any more", "backup_eligibility_changed", eligible=True)
    yield assertion(ES256, "backed up but not eligible", "inconsistent_backup", flags=UP | UV | BS)
    yield assertion(ES256, "the flag UP is off", "user_not_present", flags=UV)
    yield assertion(ES256, "the flag UV is off", "user_not_verified", flags=UP)
    yield assertion(ES256, "another relying party", "wrong_relying_party", data=head(UP | UV, 8, "example.org"))
    yield assertion(ES256, "extensions, which are ignored", data=head(UP | UV | ED, 8) + cbor({"x": True}))
    yield assertion(ES256, "a credential, which is ignored",
                    data=head(UP | UV | AT, 8) + attested(b"id", cbor(EDDSA.cose)))
    yield assertion(ES256, "bytes after the data", "malformed_authenticator_data", data=head(UP | UV, 8) + b"\0")
    yield assertion(ES256, "36 bytes", "malformed_authenticator_data", data=head(UP | UV, 8)[:36])
    yield assertion(ES256, "another credential", "wrong_credential", id=b"another")
    yield assertion(ES256, "another user", "wrong_user", handle=b"another")
    yield assertion(ES256, "no user, but the account is not known", "wrong_user", handle=None)
    yield assertion(ES256, "no user, and the account is known", handle=None, isUserKnown=True)
    yield assertion(ES256, "another user than the known account", "wrong_user", handle=b"another", isUserKnown=True)
    yield assertion(ES256, "an empty user handle", "wrong_user", handle=b"", isUserKnown=True)
    get = lambda **changes: lambda challenge: {**client_data("webauthn.get", challenge), **changes}
    for verdict, why, changes in [
        ("wrong_type", "the client data of a registration", {"type": "webauthn.create"}),
        ("wrong_challenge", "another challenge", {"challenge": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}),
        ("wrong_origin", "another origin", {"origin": "https://evil.example"}),
        ("cross_origin", "an embedded page", {"crossOrigin": True}),
        ("malformed_client_data", "a type that is no text", {"type": None}),
    ]:
        yield assertion(ES256, why, verdict, client=get(**changes))
    yield assertion(ES256, "a challenge of 15 bytes: too short to be random", "wrong_challenge", challenge=bytes(15))
    yield assertion(ES256, "a stored key that is damaged", "malformed_key", public_key=cbor(ES256.cose)[:-1])
    yield assertion(ES256, "a stored key of another algorithm", "unsupported_algorithm",
                    public_key=cbor({**ES256.cose, 3: -35}))


if __name__ == "__main__":
    write("secrets/signatures.jsonl", signature_rows())
    write("passkeys/registrations.jsonl", registration_rows())
    write("passkeys/assertions.jsonl", assertion_rows())
